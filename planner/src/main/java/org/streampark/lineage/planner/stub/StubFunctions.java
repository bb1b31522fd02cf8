package org.streampark.lineage.planner.stub;

import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.AggregateFunction;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.functions.TableFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.inference.InputTypeStrategies;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.inference.TypeStrategies;
import org.apache.flink.types.Row;

/**
 * Functions that take any arguments and return one given type. They are public with public methods because Flink checks
 * that, and not deterministic because Flink would call them on constants otherwise. Their type is kept as characters:
 * Flink before 1.16 looks into the fields of a function's fields, and Java does not let it look into a String.
 */
public final class StubFunctions {
    private StubFunctions() {}

    /** A function of this kind that returns {@code type} (Flink SQL text; a ROW for table functions). */
    public static UserDefinedFunction of(FunctionKind kind, String type) {
        return switch (kind) {
            case SCALAR -> new Scalar(type);
            case TABLE -> new Table(type);
            case AGGREGATE -> new Aggregate(type);
        };
    }

    /** What a call of the function stands for. */
    public enum FunctionKind {
        SCALAR,
        TABLE,
        AGGREGATE
    }

    private static TypeInference.Builder anyArguments(DataTypeFactory types, String output) {
        return TypeInference.newBuilder()
                .inputTypeStrategy(InputTypeStrategies.WILDCARD)
                .outputTypeStrategy(TypeStrategies.explicit(types.createDataType(output)));
    }

    /** f(…) in an expression. */
    public static final class Scalar extends ScalarFunction {
        private final char[] type;

        private Scalar(String type) {
            this.type = type.toCharArray();
        }

        public Object eval(Object... arguments) {
            return null;
        }

        @Override
        public TypeInference getTypeInference(DataTypeFactory types) {
            return anyArguments(types, new String(type)).build();
        }

        @Override
        public boolean isDeterministic() {
            return false;
        }
    }

    /** LATERAL TABLE(f(…)). */
    public static final class Table extends TableFunction<Row> {
        private final char[] type;

        private Table(String type) {
            this.type = type.toCharArray();
        }

        public void eval(Object... arguments) {}

        @Override
        public TypeInference getTypeInference(DataTypeFactory types) {
            return anyArguments(types, new String(type)).build();
        }

        @Override
        public boolean isDeterministic() {
            return false;
        }
    }

    /** f(…) under GROUP BY or OVER. */
    public static final class Aggregate extends AggregateFunction<Object, Object> {
        private final char[] type;

        private Aggregate(String type) {
            this.type = type.toCharArray();
        }

        @Override
        public Object createAccumulator() {
            return null;
        }

        @Override
        public Object getValue(Object accumulator) {
            return null;
        }

        public void accumulate(Object accumulator, Object... arguments) {}

        public void retract(Object accumulator, Object... arguments) {}

        public void merge(Object accumulator, Iterable<Object> others) {}

        @Override
        @SuppressWarnings("deprecation")
        public TypeInference getTypeInference(DataTypeFactory types) {
            return anyArguments(types, new String(type))
                    .accumulatorTypeStrategy(TypeStrategies.explicit(types.createDataType("STRING")))
                    .build();
        }

        @Override
        public boolean isDeterministic() {
            return false;
        }
    }
}
