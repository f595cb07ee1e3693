import assert from "node:assert/strict";
import { test } from "node:test";

import { storeFile, userConfigFile } from "../src/location.ts";

const linux = { platform: "linux", home: "/home/me" } as const;
const mac = { platform: "darwin", home: "/Users/me" } as const;
const windows = { platform: "win32", home: "C:\\Users\\me" } as const;

test("F5: the store is looked for where the server keeps it, on each platform", () => {
  assert.equal(storeFile({ ...linux, environment: {} }), "/home/me/.local/share/stilltrue/memories.db");
  assert.equal(storeFile({ ...mac, environment: {} }), "/Users/me/Library/Application Support/stilltrue/memories.db");
  assert.equal(storeFile({ ...windows, environment: {} }), "C:\\Users\\me\\AppData\\Local\\stilltrue\\memories.db");
  const environment = { LOCALAPPDATA: "D:\\Data" };
  assert.equal(storeFile({ ...windows, environment }), "D:\\Data\\stilltrue\\memories.db");
});

test("the folder of data may be another one, if it is named whole", () => {
  for (const [around, otherwise] of [
    [linux, "/home/me/.local/share/stilltrue/memories.db"],
    [mac, "/Users/me/Library/Application Support/stilltrue/memories.db"],
  ] as const) {
    assert.equal(storeFile({ ...around, environment: { XDG_DATA_HOME: "/d" } }), "/d/stilltrue/memories.db");
    assert.equal(storeFile({ ...around, environment: { XDG_DATA_HOME: "d" } }), otherwise);
  }
});

test("STILLTRUE_DB names a file or a URL of one; of anything else only the server can tell", () => {
  const named = (text: string): string | undefined => storeFile({ ...linux, environment: { STILLTRUE_DB: text } });
  assert.equal(named("/srv/m.db"), "/srv/m.db");
  assert.equal(named("~/m.db"), "/home/me/m.db");
  assert.equal(named("sqlite:////srv/m.db"), "/srv/m.db");
  assert.equal(named("postgresql://host/db"), undefined);
  assert.equal(named("  "), "/home/me/.local/share/stilltrue/memories.db");
});

test("the person's configuration is looked for where the server reads it", () => {
  assert.equal(userConfigFile({ ...linux, environment: {} }), "/home/me/.config/stilltrue/config.toml");
  assert.equal(userConfigFile({ ...linux, environment: { XDG_CONFIG_HOME: "/c" } }), "/c/stilltrue/config.toml");
  assert.equal(
    userConfigFile({ ...mac, environment: {} }),
    "/Users/me/Library/Application Support/stilltrue/config.toml",
  );
  assert.equal(
    userConfigFile({ ...windows, environment: {} }),
    "C:\\Users\\me\\AppData\\Local\\stilltrue\\config.toml",
  );
});
