import { describe, expect, it } from 'vitest';
import { classify, parseSet } from '../../src/plan/classify.ts';

describe('classify', () => {
  it.each([
    ['select\n1', 'select'],
    ['CREATE TABLE t (a INT)', 'create table'],
    ['create  temporary\ttable t AS SELECT 1', 'create table'],
    ['CREATE CATALOG c WITH ()', 'create catalog'],
    ['CREATE DATABASE d', 'create database'],
    ['CREATE VIEW v AS SELECT 1', 'create view'],
    ['CREATE TEMPORARY VIEW IF NOT EXISTS a.b.v AS\nSELECT 1', 'create view'],
    ['CREATE VIEW v(a,b) AS SELECT 1, 2', 'create view'],
    ["CREATE TEMPORARY SYSTEM FUNCTION f AS 'x.Y'", 'create function'],
    ['DROP TABLE IF EXISTS t', 'drop'],
    ['DROP TEMPORARY SYSTEM FUNCTION f', 'drop'],
    ['ALTER TABLE t SET (a = b)', 'alter'],
    ['INSERT INTO t SELECT 1', 'insert'],
    ['insert overwrite t values (1)', 'insert'],
    ['DESC t', 'explain'],
    ['EXPLAIN PLAN FOR INSERT INTO t SELECT 1', 'explain'],
    ['USE CATALOG c', 'use'],
    ['USE c.d', 'use'],
    ['USE MODULES core', 'use modules'],
    ['SHOW TABLES', 'show'],
    ['SHOW USER FUNCTIONS', 'show'],
    ['SHOW CREATE TABLE t', 'show'],
    ['LOAD MODULE m', 'module'],
    ['UNLOAD MODULE m', 'module'],
    ['SET', 'set'],
    ["SET 'a' = 'b'", 'set'],
    ['SET a=b c', 'set'],
    ["RESET 'a'", 'reset'],
    ['RESET', 'reset'],
    ['BEGIN STATEMENT SET', 'begin statement set'],
    ['end', 'end'],
    ['DELETE FROM t', 'delete'],
    ['UPDATE t SET a = 1', 'update'],
  ])('%s is %s', (piece, command) => {
    expect(classify(piece)).toBe(command);
  });

  it.each([
    'EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1',
    'EXECUTE INSERT INTO t SELECT 1',
    'COMPILE PLAN x FOR INSERT INTO t SELECT 1',
    "ADD JAR 'x'",
    'CREATE OR REPLACE TABLE t AS SELECT 1',
    'CREATE VIEW v (a, b) AS SELECT 1, 2',
    'CREATE VIEW v AS WITH x AS (SELECT 1) SELECT * FROM x',
    "CREATE VIEW v COMMENT 'c' AS SELECT 1",
    'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x',
    '(SELECT 1)',
    'TRUNCATE TABLE t',
    'CALL p()',
    'CREATE MODEL m',
    'SHOW PARTITIONS t',
    'RESET a',
    'SELECT',
    'INSERT t SELECT 1',
    'BEGIN STATEMENT SET INSERT INTO t SELECT 1',
  ])('%s is unsupported', (piece) => {
    expect(classify(piece)).toBe('unsupported');
  });
});

describe('parseSet', () => {
  it.each([
    ["SET 'a.b' = 'c d'", 'a.b', 'c d'],
    ['SET a.b = c d', 'a.b', 'c d'],
    ['set "a"="b"', 'a', 'b'],
    ['SET a = b = c', 'a', 'b = c'],
    // without blanks the key takes all up to the last equals sign, as in StreamPark
    ['SET a=b=c', 'a=b', 'c'],
    ["SET a = 'it''s'", 'a', "it''s"],
    ['SET a =', 'a', ''],
  ])('%s', (piece, key, value) => {
    expect(parseSet(piece)).toEqual({ key, value });
  });

  it('knows no SET without key and value', () => {
    expect(parseSet('SET')).toBeUndefined();
  });
});
