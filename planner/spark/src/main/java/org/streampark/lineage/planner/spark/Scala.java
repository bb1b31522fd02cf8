package org.streampark.lineage.planner.spark;

import java.util.List;
import java.util.Map;
import scala.Option;
import scala.collection.JavaConverters;

/** Scala's collections as Java's. */
final class Scala {
    private Scala() {}

    static <T> List<T> list(scala.collection.Seq<T> seq) {
        return JavaConverters.seqAsJavaList(seq);
    }

    static <K, V> Map<K, V> map(scala.collection.Map<K, V> map) {
        return JavaConverters.mapAsJavaMap(map);
    }

    static <T> T orNull(Option<T> option) {
        return option.isDefined() ? option.get() : null;
    }
}
