# Stage 1 builds everything with Node, a JDK and Maven; stage 2 holds Node, a Java 17 runtime and the program.
FROM node:22-bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends openjdk-17-jdk-headless maven \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY package.json package-lock.json tsconfig.json tsconfig.types.json ./
COPY scripts scripts
COPY planner/pom.xml planner/pom.xml
COPY planner/src planner/src
COPY planner/spark/pom.xml planner/spark/pom.xml
COPY planner/spark/src planner/spark/src
COPY src src
COPY sql sql
COPY schemas schemas
COPY examples examples
COPY ops ops
COPY docs docs
COPY README.md CHANGELOG.md LICENSE ./
# --build-arg SPARK_SQL=true adds the reader of Spark SQL (77 MB), which spark.lineage wants.
ARG SPARK_SQL=false
RUN if [ "$SPARK_SQL" = true ]; then npm run setup -- --spark && npm run package -- --spark; else npm run package; fi \
 && mkdir /app \
 && tar -xzf build/streampark-lineage-*.tgz -C /app --strip-components=1

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends openjdk-17-jre-headless \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /app /app
# The class-data archive is made here, by the Java runtime and from the jars that will use it.
RUN node /app/dist/main.js planner-archive \
 && groupadd --system --gid 10001 lineage \
 && useradd --system --uid 10001 --gid lineage --home-dir /nonexistent --shell /usr/sbin/nologin lineage
USER 10001:10001
WORKDIR /tmp
ENV NODE_ENV=production STREAMPARK_LINEAGE_HTTP_HOST=0.0.0.0
EXPOSE 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.STREAMPARK_LINEAGE_HTTP_PORT || 9464}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["run"]
