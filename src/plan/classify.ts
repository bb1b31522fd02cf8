// What StreamPark's SqlCommand makes of a piece: the same forms in the same order, the first that fits wins.

export type Command =
  | 'select'
  | 'create table'
  | 'create catalog'
  | 'create database'
  | 'create view'
  | 'create function'
  | 'drop'
  | 'alter'
  | 'insert'
  | 'explain'
  | 'use'
  | 'use modules'
  | 'show'
  | 'module'
  | 'set'
  | 'reset'
  | 'begin statement set'
  | 'end'
  | 'delete'
  | 'update'
  | 'unsupported';

const form = (pattern: string) => new RegExp(`^(?:${pattern.replaceAll(' ', '\\s+')})$`, 'is');

const forms: readonly (readonly [Command, RegExp])[] = [
  ['select', form('SELECT .+')],
  ['create table', form('CREATE (?:TEMPORARY )?TABLE .+')],
  ['create catalog', form('CREATE CATALOG .+')],
  ['create database', form('CREATE DATABASE .+')],
  ['create view', form('CREATE (?:TEMPORARY )?VIEW (?:IF NOT EXISTS )?\\S+ AS SELECT .+')],
  ['create function', form('CREATE (?:TEMPORARY |TEMPORARY SYSTEM )?FUNCTION (?:IF NOT EXISTS )?\\S+ AS .*')],
  ['drop', form('DROP (?:CATALOG|DATABASE|(?:TEMPORARY )?(?:TABLE|VIEW)|(?:TEMPORARY |TEMPORARY SYSTEM )?FUNCTION) .+')],
  ['alter', form('ALTER (?:TABLE|VIEW|DATABASE|(?:TEMPORARY |TEMPORARY SYSTEM )?FUNCTION) .+')],
  ['insert', form('INSERT (?:INTO|OVERWRITE) .+')],
  ['explain', form('(?:DESC|DESCRIBE|EXPLAIN) .+')],
  ['use modules', form('USE MODULES .+')],
  ['use', form('USE CATALOG .+|USE (?!CATALOG|MODULES).+')],
  ['show', form('SHOW (?:CATALOGS|CURRENT CATALOG|DATABASES|CURRENT DATABASE|VIEWS|(?:USER )?FUNCTIONS|(?:FULL )?MODULES)')],
  ['show', form('SHOW TABLES.*|SHOW (?:CREATE TABLE|COLUMNS|CREATE VIEW) .+')],
  ['module', form('(?:LOAD|UNLOAD) MODULE .+')],
  ['set', form('SET(?: \\S+\\s*=.*)?')],
  ['reset', form("RESET '.*'|RESET")],
  ['begin statement set', form('BEGIN STATEMENT SET')],
  ['end', form('END')],
  ['delete', form('DELETE FROM .+')],
  ['update', form('UPDATE .+')],
];

/** The command of a trimmed piece without comments. */
export function classify(piece: string): Command {
  return forms.find(([, pattern]) => pattern.test(piece))?.[0] ?? 'unsupported';
}

/** A SET piece. The key takes all it can before an `=`; one quote is stripped from each end of key and value, as StreamPark does. */
export function parseSet(piece: string): { readonly key: string; readonly value: string } | undefined {
  const match = /^SET\s+(\S+)\s*=(.*)$/is.exec(piece);
  if (match === null) return undefined;
  return { key: unquoted(match[1] ?? ''), value: unquoted(match[2] ?? '') };
}

function unquoted(text: string): string {
  return text.trim().replace(/^['"]|['"]$/g, '');
}
