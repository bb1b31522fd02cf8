// Apache Hudi's programs for Flink: the streamer (Kafka -> Hudi), compaction and clustering.
import { parametersOf } from './arguments.ts';
import { table } from './table.ts';
import { copied, missing, type Tool } from './tool.ts';

export const hudiStreamer: Tool = {
  name: 'hudi',
  mainClasses: ['org.apache.hudi.streamer.HoodieFlinkStreamer'],
  read(_program, words) {
    const given = parametersOf(words);
    const [servers, topic, path, name] = ['kafka-bootstrap-servers', 'kafka-topic', 'target-base-path', 'target-table'].map((key) =>
      given.one(key),
    );
    const read =
      servers === undefined || topic === undefined || path === undefined
        ? missing('--kafka-bootstrap-servers', '--kafka-topic or --target-base-path')
        : copied({
            sources: [table('kafka', ['topic', topic], { 'properties.bootstrap.servers': servers, topic })],
            sink: table('hudi', ['table', name ?? path], { path }),
          });
    return { tool: 'hudi', action: 'streamer', ...read };
  },
  actions: [
    {
      action: '`HoodieFlinkStreamer`',
      arguments: '`--kafka-topic`, `--kafka-bootstrap-servers`, `--target-base-path`',
      reported: 'topic → table at the base path',
      not: 'what a `--props` file says',
    },
  ],
};

/** Rewrites a table in place. */
const rewriting = (action: string, mainClass: string): Tool => ({
  name: 'hudi',
  mainClasses: [mainClass],
  read(_program, words) {
    const path = parametersOf(words).one('path');
    const itself = path === undefined ? undefined : table('hudi', ['table', path], { path });
    return { tool: 'hudi', action, ...(itself === undefined ? missing('--path') : copied({ sources: [itself], sink: itself })) };
  },
  actions: [
    {
      action: `\`${mainClass.replace(/^.*\./, '')}\``,
      arguments: '`--path`',
      reported: 'the table at the path, as input and output',
      not: '',
    },
  ],
});

export const hudiCompactor = rewriting('compaction', 'org.apache.hudi.sink.compact.HoodieFlinkCompactor');
export const hudiClustering = rewriting('clustering', 'org.apache.hudi.sink.clustering.HoodieFlinkClusteringJob');
