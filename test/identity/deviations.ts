// Every sample whose official answer we do not give, with the reason and the answer we give instead.

export interface Deviation {
  readonly why: string;
  /** Our `namespace` + blank + `name` of each dataset, or the code of the refusal. */
  readonly ours: readonly string[];
}

const thrown = 'official code throws: the text is taken as it is, or the table is left out';
const secret = 'the official answer holds (part of) a password: the url is named without its user info';
const noHost = 'official code loses the host';
const lowered = 'hosts of CDC sources are lower-cased, as JDBC does';
const empty = 'the official name is empty';
const located = 'a JDBC catalog makes official code throw: the location is known';

export const deviations: Readonly<Record<string, Deviation>> = {
  s29: { why: thrown, ours: ['kafka://%s:9092  audit'] },
  t167: { why: thrown, ours: ['OPTION_INVALID'] },
  t168: { why: thrown, ours: ['OPTION_INVALID'] },
  t176: { why: thrown, ours: ['kafka://h%1:9092 t'] },
  t178: { why: thrown, ours: ['kafka://h%s:9092 t'] },
  t180: { why: thrown, ours: ['kafka://h%d t'] },
  t181: { why: thrown, ours: ['kafka://100% t'] },
  t187: { why: thrown, ours: ['OPTION_MISSING'] },
  s182: { why: thrown, ours: ['OPTION_INVALID'] },
  s183: { why: thrown, ours: ['OPTION_INVALID'] },
  t197: { why: thrown, ours: ['OPTION_INVALID'] },
  t236: { why: thrown, ours: ['OPTION_INVALID'] },
  s85: { why: secret, ours: ['postgresql://kafka_prod:5432 "fact"."Erade"'] },
  t92: { why: secret, ours: ['mysql://h:3306 db.t'] },
  t93: { why: secret, ours: ['mysql://h:3306 db.t'] },
  t95: { why: secret, ours: ['mysql://h:3306 db.t'] },
  t100: { why: secret, ours: ['postgresql://h_1:5432/db t'] },
  t101: { why: secret, ours: ['postgresql://h_1/db t'] },
  t106: { why: secret, ours: ['db2://h:50000 S.t'] },
  t201: { why: secret, ours: ['s3://b k'] },
  s322: { why: noHost, ours: ['clickhouse://db_1:99999 sku_audit.fact'] },
  s323: { why: noHost, ours: ['clickhouse://db_1:8123 log.event_city'] },
  s233: { why: lowered, ours: ['oracle://db1.example.com:1521 ORCLPDB1.HR.SKU_FACT'] },
  t244: { why: empty, ours: ['OPTION_INVALID'] },
  s293: { why: located, ours: ['s3://users-lake dim/click-ods'] },
  s299: { why: located, ours: ['gs://fact wh/users/city.db/sku'] },
};

/** Symlinks we do not copy although the official name is ours. */
export const linkDeviations: Readonly<Record<string, string>> = {
  s290: 'a list of metastore uris: the first address only',
  s298: 'a list of metastore uris: the first address only',
};
