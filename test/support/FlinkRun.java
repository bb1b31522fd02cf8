import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;

/**
 * Runs a script on a MiniCluster as StreamPark's client of Flink SQL does: definitions one by one, all INSERTs as one job, whose id is printed. Arguments: a file
 * with the pieces, a NUL between them, then configuration items {@code key=value}.
 */
public final class FlinkRun {
    public static void main(String[] arguments) throws Exception {
        Configuration configuration = new Configuration();
        Arrays.stream(arguments).skip(1).map(item -> item.split("=", 2)).forEach(item -> configuration.setString(item[0], item[1]));
        EnvironmentSettings settings =
                EnvironmentSettings.newInstance().inBatchMode().withConfiguration(configuration).build();
        TableEnvironment environment = TableEnvironment.create(settings);
        StatementSet inserts = environment.createStatementSet();
        for (String piece : Files.readString(Path.of(arguments[0])).split("\u0000")) {
            if (piece.startsWith("INSERT")) {
                inserts.addInsertSql(piece);
            } else {
                environment.executeSql(piece);
            }
        }
        TableResult result = inserts.execute();
        System.out.println("job " + result.getJobClient().orElseThrow().getJobID());
        result.await();
        // what a listener still has to say is said on threads of its own
        Thread.sleep(20_000);
        System.exit(0);
    }
}
