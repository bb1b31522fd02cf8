// Job names over all watched applications: of two with the same name the later-created one gets its id appended, always the same one.
import { jobName } from '../openlineage/openlineage.ts';
import type { AppRow } from '../watch/watch.ts';

/** What of an application its job name depends on. */
export type NamedApp = Pick<AppRow, 'engine' | 'id' | 'name' | 'teamId' | 'createTime'>;

/** The name of one application, and whether another application had it first. */
export function nameOf(
  template: string,
  app: NamedApp,
  teamName: string | null,
  others: Iterable<NamedApp>,
): { readonly name: string; readonly duplicate: boolean } {
  const duplicate = [...others].some((other) => sameName(template, app, other) && earlier(other, app));
  return { name: jobName(template, { engine: app.engine, id: app.id, app: app.name, team: teamName ?? app.teamId }, duplicate), duplicate };
}

function sameName(template: string, a: NamedApp, b: NamedApp): boolean {
  if (a.engine === b.engine && a.id === b.id) return false;
  if (template.includes('{id}') && a.id !== b.id) return false;
  if (template.includes('{team}') && a.teamId !== b.teamId) return false;
  return a.name === b.name;
}

/** Creation order; two of one second are told apart by engine and id. */
function earlier(a: NamedApp, b: NamedApp): boolean {
  if (a.createTime !== b.createTime) return a.createTime < b.createTime;
  if (a.engine !== b.engine) return a.engine < b.engine;
  return BigInt(a.id) < BigInt(b.id);
}
