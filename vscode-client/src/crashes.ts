/** When a server that ended by itself is started again, and when it is not. */

const LIMIT = 5;
const WINDOW = 180_000;
const DELAYS = [0, 1_000, 2_000, 4_000] as const;

export class Crashes {
  private times: number[] = [];

  /**
   * Note a crash at `now`, in milliseconds.
   *
   * @returns How many milliseconds to wait before the next start; undefined after five crashes within three minutes.
   */
  next(now: number): number | undefined {
    this.times = [...this.times.filter((time) => now - time < WINDOW), now];
    return this.times.length < LIMIT ? DELAYS[this.times.length - 1] : undefined;
  }

  /** A person asked for a start: what was before no longer counts. */
  forget(): void {
    this.times = [];
  }
}
