// What must be reported for each recorded history, written down from what was done to the consoles and from the times and
// ids that the console stored. Starts that never happened, aborts and phantom restarts are not here: they must yield nothing.
import type { DumpName } from '../support/streampark.ts';

/** One run. Times are UTC; `t` are ms since the begin of the recording. */
export interface RecordedRun {
  readonly job: string;
  /** Text that the ids of the run are made of. */
  readonly identity: string;
  /** start_time of the success write, then as the watcher corrected it; of a failed submission the begin of the request. */
  readonly starts: readonly string[];
  /** t of the write that proves the run. */
  readonly proof: number;
  /** t in which the row shows it as RUNNING; without an end to the last write. */
  readonly running?: readonly [from: number, to: number];
  readonly end?: RecordedEnd;
  readonly script?: 'v1' | 'v2' | 'batch';
}

export interface RecordedEnd {
  readonly type: 'COMPLETE' | 'FAIL' | 'ABORT';
  /** end_time; without it the database has none, and the end is dated by the poll that sees it. */
  readonly at?: string;
  /** t of the write that shows the end. */
  readonly seen: number;
  /** Time of the automatic restart, which dates the end where no poll saw end_time. */
  readonly restarted?: string;
  /** The row was deleted: a run of which no poll saw anything leaves no evidence. */
  readonly deleted?: true;
  /** How the error text begins. */
  readonly message?: string;
}

export interface RecordedHistory {
  readonly runs: readonly RecordedRun[];
  /** t from which t_setting names the token. */
  readonly tokenFrom: number;
  /** t from which t_setting names the namespace `prod`. */
  readonly prodFrom?: number;
}

const day = '2026-11-30T';
const at = (time: string): string => `${day}${time}Z`;
const forever = Number.POSITIVE_INFINITY;

interface Facts {
  readonly job: string;
  readonly id: string;
  readonly starts: readonly string[];
  readonly proof: number;
  readonly running?: readonly [number, number];
  readonly end?: RecordedEnd;
  readonly script?: NonNullable<RecordedRun['script']>;
}

const run = ({ id, starts, ...rest }: Facts): RecordedRun => ({ ...rest, identity: `flink-job:${id}`, starts: starts.map(at) });
const ended = (type: RecordedEnd['type'], seen: number, time?: string): RecordedEnd => ({
  type,
  seen,
  ...(time === undefined ? {} : { at: at(time) }),
});
const deleted = (seen: number): RecordedEnd => ({ type: 'ABORT', seen, deleted: true });

/** `identity`: create_time as stored, and the id of the START log row. */
const refused = (job: string, identity: string, start: string, proof: number, seen: number): RecordedRun => ({
  job,
  identity: `flink-log:${identity}`,
  starts: [at(start)],
  proof,
  end: { type: 'FAIL', seen, message: 'java.util.concurrent.CompletionException: java.lang.reflect.InvocationTargetException' },
});

const orders = { job: 'orders_enrich' };
const batch = { job: 'bounded_batch', script: 'batch' as const };
const failing = { job: 'failing_job' };
const migrated = { job: 'after_migration' };

export const histories: Readonly<Record<DumpName, RecordedHistory>> = {
  'mysql-dev': {
    tokenFrom: 1_694_710,
    prodFrom: 1_694_988,
    runs: [
      refused('orders_enrich', '2026-12-01 06:01:56:100001', '22:02:36', 132_780, 132_780),
      refused('orders_enrich', '2026-12-01 06:01:56:100002', '22:03:30', 176_294, 176_294),
      run({
        ...orders,
        id: 'c4aec600bc5f475d8ab086ddb731facb',
        starts: ['22:08:22', '22:08:21'],
        proof: 461_648,
        running: [464_330, 491_250],
        end: ended('ABORT', 497_784, '22:08:58'),
        script: 'v1',
      }),
      run({
        ...orders,
        id: 'e98dca053a18f4ebd07397b03743e028',
        starts: ['22:09:27'],
        proof: 526_128,
        running: [526_986, 837_751],
        end: ended('COMPLETE', 848_088, '22:14:47'),
        script: 'v2',
      }),
      run({
        ...orders,
        id: '275a4cc9643a59a894576a7288d6ec01',
        starts: ['22:15:14'],
        proof: 873_424,
        running: [874_300, 899_351],
        end: ended('ABORT', 899_401, '22:15:37'),
        script: 'v2',
      }),
      run({
        ...orders,
        id: '704ba5fc35c9d3b75020cfe062b6b3d4',
        starts: ['22:16:09'],
        proof: 928_468,
        running: [929_576, forever],
        script: 'v1',
      }),
      run({
        ...batch,
        id: '7d1fe916b87a61574144604c7fad2bc8',
        starts: ['22:11:29'],
        proof: 648_000,
        running: [649_196, 655_056],
        end: ended('COMPLETE', 655_056, '22:11:35'),
      }),
      run({
        ...batch,
        id: '0075c03c17f775fa9075a446bf1a4127',
        starts: ['22:29:31'],
        proof: 1_730_122,
        running: [1_730_593, 1_732_574],
        end: ended('COMPLETE', 1_732_574, '22:29:32'),
      }),
      run({
        ...failing,
        id: '32ce3a819f920f78a664802872b1959f',
        starts: ['22:12:00'],
        proof: 679_174,
        running: [680_272, 685_318],
        end: ended('FAIL', 685_318, '22:12:06'),
      }),
      refused('missing_sink', '2026-12-01 06:01:57:100012', '22:14:20', 834_602, 834_602),
      run({
        job: 'orders_copy',
        id: '76d048e83c07eaaf16cc795c2d4c73ff',
        starts: ['22:16:37'],
        proof: 956_124,
        running: [956_524, 957_252],
        end: deleted(957_252),
      }),
      run({
        job: 'mapped_app',
        id: '76d048e83c07eaaf16cc795c2d4c73ff:app:100010',
        starts: ['22:16:37'],
        proof: 963_588,
        running: [963_588, 972_842],
        end: ended('ABORT', 976_564, '22:16:57'),
      }),
      run({
        job: 'lost_app',
        id: 'c03190bba4b7fb84a57e0cb647537a27',
        starts: ['22:25:51', '22:25:50'],
        proof: 1_510_080,
        running: [1_512_908, 1_522_489],
        end: ended('ABORT', 1_719_380, '22:29:20'),
      }),
      run({
        ...migrated,
        id: 'ed5cfe302db501b99066dda49605c0f8',
        starts: ['22:29:17'],
        proof: 1_716_588,
        running: [1_717_388, 1_718_478],
        end: ended('COMPLETE', 1_718_478, '22:29:19'),
      }),
    ],
  },
  'mysql-2.1.7': {
    tokenFrom: 431_639,
    runs: [
      run({
        ...orders,
        id: 'a9a57185e8361e456a259004a2a2f1b8',
        starts: ['22:20:56', '22:20:55'],
        proof: 125_439,
        running: [127_302, 151_554],
        end: ended('ABORT', 156_093, '22:21:26'),
        script: 'v1',
      }),
      run({
        ...orders,
        id: '7d1b32806ff9f7e628e0bf84e43a5cca',
        starts: ['22:21:45'],
        proof: 175_026,
        running: [175_287, 284_629],
        end: ended('ABORT', 288_450),
        script: 'v2',
      }),
      run({
        ...orders,
        id: 'be2ab5d8c50bc0411c8cba99d6794c15',
        starts: ['22:24:01'],
        proof: 310_703,
        running: [311_474, 336_485],
        end: ended('ABORT', 336_485),
        script: 'v2',
      }),
      run({
        ...orders,
        id: 'e9987a1696f7d9bdfda302ff178c0da9',
        starts: ['22:24:37'],
        proof: 346_071,
        running: [346_485, forever],
        script: 'v1',
      }),
      run({
        ...batch,
        id: '8316349ceb0acfa715b245fc6e5576b9',
        starts: ['22:22:18'],
        proof: 207_406,
        running: [208_171, 210_081],
        end: ended('COMPLETE', 210_081, '22:22:20'),
      }),
      run({
        ...batch,
        id: '114f4a745760e0aa61d65072206a6dac',
        starts: ['22:26:14'],
        proof: 443_454,
        running: [443_975, 444_953],
        end: ended('COMPLETE', 444_953, '22:26:15'),
      }),
      run({
        ...failing,
        id: '6d235d38857e7acb3380e86c6aa5eb3a',
        starts: ['22:22:33'],
        proof: 222_289,
        running: [223_216, 228_194],
        end: ended('FAIL', 228_194, '22:22:39'),
      }),
      run({
        ...failing,
        id: '526b51e7068408f9e039b9ab4fd3cb89',
        starts: ['22:22:44'],
        proof: 233_848,
        running: [234_205, 240_171],
        end: ended('FAIL', 240_171, '22:22:50'),
      }),
      run({
        ...failing,
        id: '0151ae6aa467b5b3332116d5f0b95e5b',
        starts: ['22:22:58', '22:22:57'],
        proof: 246_974,
        running: [247_285, 252_456],
        end: ended('FAIL', 253_299, '22:23:03'),
      }),
      run({
        ...failing,
        id: 'ffec0fdf20bc2f063623ec4596ff0cc2',
        starts: ['22:23:08'],
        proof: 257_590,
        running: [258_386, 263_298],
        end: ended('FAIL', 263_298, '22:23:14'),
      }),
      refused('missing_sink', '2026-12-01 06:19:30:100013', '22:23:29', 281_930, 281_930),
      run({
        job: 'orders_copy',
        id: '41459cd697c612c8d3c4eb8365d718bd',
        starts: ['22:25:00'],
        proof: 369_216,
        running: [369_670, 370_330],
        end: deleted(370_330),
      }),
      run({
        job: 'mapped_app',
        id: '41459cd697c612c8d3c4eb8365d718bd:app:100010',
        starts: ['22:25:00'],
        proof: 375_616,
        running: [375_616, 385_405],
        end: ended('ABORT', 386_663, '22:25:17'),
      }),
      run({
        ...migrated,
        id: '97530d1594f51aa05c9176f80c314ffe',
        starts: ['22:26:08'],
        proof: 437_375,
        running: [437_959, 438_986],
        end: ended('COMPLETE', 438_986, '22:26:09'),
      }),
    ],
  },
  'postgres-dev': {
    tokenFrom: 790_921,
    prodFrom: 791_522,
    runs: [
      run({
        ...orders,
        id: '8fd7563372044859129ee6ec43b3584d',
        starts: ['22:10:24.384', '22:10:23.694'],
        proof: 581_628,
        running: [582_324, 604_412],
        end: ended('ABORT', 606_995, '22:10:49.282'),
        script: 'v1',
      }),
      run({
        ...orders,
        id: 'c17892d739fada27b45361a40b52d2d0',
        starts: ['22:11:24.211', '22:11:24.096'],
        proof: 641_420,
        running: [642_338, 1_076_929],
        end: ended('COMPLETE', 1_084_909, '22:18:47.230'),
        script: 'v2',
      }),
      run({
        ...orders,
        id: 'ec86b4ec804a10653f806b0812fee0b4',
        starts: ['22:19:10.398', '22:19:10.287'],
        proof: 1_107_607,
        running: [1_108_065, 1_132_989],
        end: ended('ABORT', 1_133_010, '22:19:32.183'),
        script: 'v2',
      }),
      run({
        ...orders,
        id: '5300d8eb53783df4754ce1ff82de75c6',
        starts: ['22:19:58.884', '22:19:58.803'],
        proof: 1_156_098,
        running: [1_156_220, forever],
        script: 'v1',
      }),
      run({
        ...batch,
        id: '2686e95634f15b7eb102f8e82a0b88f7',
        starts: ['22:14:47.988', '22:14:47.712'],
        proof: 845_207,
        running: [845_898, 847_606],
        end: ended('COMPLETE', 847_606, '22:14:49.944'),
      }),
      run({
        ...batch,
        id: 'c4c85a3c957c02ab34826bf94eac38c1',
        starts: ['22:23:54.572', '22:23:54.449'],
        proof: 1_391_815,
        running: [1_392_590, 1_393_498],
        end: ended('COMPLETE', 1_393_498, '22:23:56.032'),
      }),
      run({
        ...failing,
        id: '72e999a8c10e5833e8dc5c269a8c5512',
        starts: ['22:16:09.740', '22:16:09.561'],
        proof: 927_023,
        running: [927_204, 933_125],
        end: ended('FAIL', 933_125, '22:16:15.831'),
      }),
      refused('missing_sink', '2026-11-30 22:04:46:10013', '22:18:25.546', 1_073_965, 1_073_965),
      run({
        job: 'orders_copy',
        id: '4d498d498d2dc7c215e57f594c6171cd',
        starts: ['22:20:28.240', '22:20:28.103'],
        proof: 1_185_451,
        running: [1_186_484, 1_187_135],
        end: deleted(1_187_135),
      }),
      run({
        job: 'mapped_app',
        id: '4d498d498d2dc7c215e57f594c6171cd:app:10011',
        starts: ['22:20:28.103'],
        proof: 1_192_588,
        running: [1_192_588, 1_202_276],
        end: ended('ABORT', 1_209_562, '22:20:51.538'),
      }),
      run({
        ...migrated,
        id: 'ead24df876be7b829a55d1f9f52dfffa',
        starts: ['22:14:20.550', '22:14:20.349'],
        proof: 817_766,
        running: [818_496, 822_377],
        end: ended('COMPLETE', 822_377, '22:14:24.902'),
      }),
    ],
  },
  'postgres-2.1.7': {
    tokenFrom: 262_420,
    prodFrom: 262_527,
    runs: [
      run({
        ...orders,
        id: '1cc6bd1928fdef5ecc41bc0b0bf571d5',
        starts: ['22:27:53.801', '22:27:53.559'],
        proof: 60_128,
        running: [60_947, 82_132],
        end: ended('ABORT', 83_921, '22:28:17.375'),
        script: 'v1',
      }),
      run({
        ...orders,
        id: '890478067853ddd014affb9a20e9d432',
        starts: ['22:28:44.730', '22:28:44.635'],
        proof: 111_068,
        running: [112_194, 219_696],
        end: ended('ABORT', 221_518),
        script: 'v2',
      }),
      run({
        ...orders,
        id: 'afc7c483c4e5d9b3157fa2a899bb80cf',
        starts: ['22:30:57.730', '22:30:57.708'],
        proof: 244_044,
        running: [244_637, forever],
        script: 'v1',
      }),
      run({
        ...batch,
        id: '8ecf85983215734ff34fbdf7afb3bbcc',
        starts: ['22:29:21.631', '22:29:21.532'],
        proof: 147_980,
        running: [148_398, 149_398],
        end: ended('COMPLETE', 149_398, '22:29:22.427'),
      }),
      run({
        ...batch,
        id: '05518a725182394fde865db250315bcc',
        starts: ['22:31:26.358', '22:31:26.332'],
        proof: 272_674,
        running: [272_706, 273_706],
        end: ended('COMPLETE', 273_706, '22:31:26.860'),
      }),
      run({
        ...failing,
        id: '2e7e6a2250f6a4488ed623e4513bdb16',
        starts: ['22:29:40.635', '22:29:40.526'],
        proof: 167_056,
        running: [167_486, 173_427],
        end: ended('FAIL', 173_427, '22:29:46.561'),
      }),
      run({
        ...failing,
        id: 'c3d5fa6bc6732a9e81976537b626ce6d',
        starts: ['22:29:49.834', '22:29:49.794'],
        proof: 176_149,
        running: [176_414, 181_391],
        // Restarted within the same 5 s: its end_time is gone before it can be read.
        end: { ...ended('FAIL', 181_391, '22:29:55.044'), restarted: at('22:29:55.088') },
      }),
      run({
        ...failing,
        id: '5c0d9e406ceb1a0c01d58b68754aea26',
        starts: ['22:29:57.203', '22:29:57.099'],
        proof: 183_520,
        running: [184_423, 189_435],
        end: ended('FAIL', 189_435, '22:30:02.567'),
      }),
      run({
        ...failing,
        id: '269bce9b5b11e3e060a8904064332e89',
        starts: ['22:30:05.949', '22:30:05.892'],
        proof: 192_268,
        running: [192_474, 198_438],
        end: ended('FAIL', 198_438, '22:30:11.464'),
      }),
      refused('missing_sink', '2026-11-30 22:27:17:10013', '22:30:28.447', 216_949, 216_949),
      run({
        ...migrated,
        id: '5c4c9f299e348f51ce08e027eab00cf3',
        starts: ['22:31:21.695', '22:31:21.661'],
        proof: 268_011,
        end: ended('COMPLETE', 268_697, '22:31:22.117'),
      }),
    ],
  },
};
