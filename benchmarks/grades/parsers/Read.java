// What javac reads, pretty-printed without comments: one base64 text a line in, one digest out.
import com.sun.source.util.JavacTask;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

class Read {
    public static void main(String[] arguments) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            var text = new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
            var file = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
                @Override public CharSequence getCharContent(boolean ignored) { return text; }
            };
            var found = new DiagnosticCollector<JavaFileObject>();
            var task = (JavacTask) compiler.getTask(null, null, found, List.of("-proc:none"), null, List.of(file));
            var told = new StringBuilder();
            for (var unit : task.parse()) told.append(unit);
            boolean sound = found.getDiagnostics().stream().noneMatch(each -> each.getKind() == javax.tools.Diagnostic.Kind.ERROR);
            var digest = MessageDigest.getInstance("SHA-1").digest(told.toString().getBytes(StandardCharsets.UTF_8));
            System.out.println(sound ? HexFormat.of().formatHex(digest) : "-");
        }
    }
}
