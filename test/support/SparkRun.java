import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * Runs the pieces of a script one after the other, as StreamPark's client of Spark SQL does, and prints the application's id. Its configuration are
 * the system properties. Argument: a file with the pieces, a NUL between them.
 */
public final class SparkRun {
    public static void main(String[] arguments) throws Exception {
        SparkSession spark = SparkSession.builder().getOrCreate();
        System.out.println("application " + spark.sparkContext().applicationId());
        for (String piece : Files.readString(Path.of(arguments[0])).split("\u0000")) {
            spark.sql(piece);
        }
        spark.stop();
    }
}
