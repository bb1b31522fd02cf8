package org.streampark.lineage.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.streampark.lineage.planner.PlanRequest.DeclaredFunction;
import org.streampark.lineage.planner.stub.StubFunctions;
import org.streampark.lineage.planner.stub.StubFunctions.FunctionKind;
import org.streampark.lineage.planner.text.Call;
import org.streampark.lineage.planner.text.Token;

/**
 * The script's own functions, whose jars are not here. Each is a stub, registered as temporary under its name; what it
 * is and returns comes from the operator, else from its use, else it is a scalar function that returns STRING.
 */
final class Functions {
    private final TableEnvironmentInternal environment;
    private final Map<String, DeclaredFunction> declared;
    private final Map<String, FunctionStub> stubs = new LinkedHashMap<>();
    private final Set<String> assumed = new LinkedHashSet<>();
    private final Set<String> builtIn;

    Functions(TableEnvironmentInternal environment, Map<String, DeclaredFunction> declared) {
        this.environment = environment;
        this.declared = declared;
        this.builtIn = Arrays.stream(environment.listFunctions())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** CREATE FUNCTION in a catalog; a permanent one is resolved like a temporary one. */
    void create(ObjectIdentifier identifier) {
        register(first(identifier.getObjectName(), identifier.asSerializableString()));
    }

    /** CREATE TEMPORARY SYSTEM FUNCTION. */
    void createSystem(String name) {
        register(first(name, null));
    }

    /**
     * A function that is called and defined nowhere in the script: it may come from a catalog or module of the cluster.
     *
     * @param path the name as called; one with several parts is looked up in catalogs only
     * @return false for a function that exists
     */
    boolean assume(String name, String path) {
        String key = name.toLowerCase(Locale.ROOT);
        if (stubs.containsKey(key) || builtIn.contains(key)) {
            return false;
        }
        assumed.add(path);
        register(first(name, path.equals(name) ? null : path));
        return true;
    }

    /** Whether Flink 2.3 has a function of this name, which it finds before any in a catalog. */
    boolean isHidden(FunctionStub stub) {
        return stub.path() != null && builtIn.contains(stub.key());
    }

    /** The functions assumed so far, which are not named again. */
    List<String> takeAssumed() {
        List<String> taken = new ArrayList<>(assumed);
        assumed.clear();
        return taken;
    }

    Collection<FunctionStub> all() {
        return stubs.values();
    }

    FunctionStub get(String name) {
        return stubs.get(name);
    }

    /** Gives the functions of a statement the kind, and table functions the columns, that their calls show. */
    void prepare(List<Token> tokens) {
        if (stubs.isEmpty()) {
            return;
        }
        for (Call call : Call.in(tokens)) {
            FunctionStub stub = stubs.get(call.name());
            if (stub != null && call.table() && !stub.fixed()) {
                FunctionStub table = stub.asTable(call.columns());
                replace(isHidden(stub) ? table.asSystem() : table);
            }
        }
    }

    void replace(FunctionStub stub) {
        if (!stub.equals(stubs.get(stub.key()))) {
            register(stub);
        }
    }

    private FunctionStub first(String name, String path) {
        DeclaredFunction known = declared.get(name.toLowerCase(Locale.ROOT));
        return new FunctionStub(
                name,
                path,
                known == null ? FunctionKind.SCALAR : known.kind(),
                known == null || known.type() == null ? "STRING" : known.type(),
                List.of(),
                known != null);
    }

    private void register(FunctionStub stub) {
        String path = stub.path();
        if (path == null) {
            environment.dropTemporarySystemFunction(stub.name());
            environment.createTemporarySystemFunction(stub.name(), StubFunctions.of(stub.kind(), stub.output()));
        } else {
            environment.dropTemporaryFunction(path);
            environment.createTemporaryFunction(path, StubFunctions.of(stub.kind(), stub.output()));
        }
        stubs.put(stub.key(), stub);
    }
}
