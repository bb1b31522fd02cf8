package org.streampark.lineage.planner.versions;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Reaches what not every Flink version has, or has in another package or with other types. One build of the worker runs
 * on all of them: it is compiled against the bundled one, and a class or method that is missing elsewhere is either
 * touched only where {@link #exists} has told that it is there, or called through here.
 */
public final class ByName {
    private ByName() {}

    /** Whether this Flink has the class. */
    public static boolean exists(String className) {
        try {
            Class.forName(className, false, ByName.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /** Whether the object's class, or one it extends, has one of these simple names. */
    public static boolean is(Object object, String... simpleNames) {
        for (Class<?> type = object == null ? null : object.getClass(); type != null; type = type.getSuperclass()) {
            if (Arrays.asList(simpleNames).contains(type.getSimpleName())) {
                return true;
            }
        }
        return false;
    }

    /** What the first of these methods that the object has returns; they take no arguments. */
    public static Object get(Object object, String... methods) {
        for (String name : methods) {
            Method method = find(object.getClass(), name, 0);
            if (method != null) {
                return invoke(method, object);
            }
        }
        throw new UnsupportedOperationException(object.getClass().getSimpleName() + " has none of the methods expected");
    }

    /** Whether the object has a public method of this name without arguments. */
    public static boolean has(Object object, String method) {
        return find(object.getClass(), method, 0) != null;
    }

    /** Calls the method of this name and number of arguments. */
    public static Object call(Object object, String name, Object... arguments) {
        Method method = find(object.getClass(), name, arguments.length);
        if (method == null) {
            throw new UnsupportedOperationException(object.getClass().getSimpleName() + " has no method " + name);
        }
        return invoke(method, object, arguments);
    }

    /** Calls the static method of this name and number of arguments. */
    public static Object callStatic(String className, String name, Object... arguments) {
        try {
            return invoke(find(Class.forName(className), name, arguments.length), null, arguments);
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    /** Makes an object by the constructor that has this number of arguments and takes these. */
    public static <T> T make(Class<T> type, Object... arguments) {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (takes(constructor.getParameterTypes(), arguments)) {
                try {
                    return type.cast(constructor.newInstance(arguments));
                } catch (InvocationTargetException e) {
                    throw unchecked(e.getCause());
                } catch (ReflectiveOperationException e) {
                    throw new UnsupportedOperationException(e);
                }
            }
        }
        throw new UnsupportedOperationException(type.getSimpleName() + " has no such constructor");
    }

    private static boolean takes(Class<?>[] parameters, Object[] arguments) {
        if (parameters.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < parameters.length; i++) {
            if (!parameters[i].isPrimitive() && arguments[i] != null && !parameters[i].isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    private static Method find(Class<?> type, String name, int arguments) {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == arguments) {
                return method;
            }
        }
        return null;
    }

    private static Object invoke(Method method, Object object, Object... arguments) {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw unchecked(e.getCause());
        } catch (IllegalAccessException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    /** Passes on what the method threw as it is: callers tell failures by their class. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException unchecked(Throwable error) throws E {
        throw (E) error;
    }
}
