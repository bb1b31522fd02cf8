// Check of the site's own code: whether it could be loaded, and what it takes part in.
import type { Check } from './context.ts';
import { failure, ok } from './result.ts';

export const checkExtension: Check = async ({ extension, settings }) => {
  const templates = Object.keys(settings.identity.connectors);
  const byTemplate = templates.length === 0 ? [] : [ok('names: connectors of the settings', templates.join(', '))];
  if (extension === undefined) return byTemplate;
  if ('error' in extension) return [...byTemplate, failure('extension', extension.error)];
  const { connectors, facets, has } = extension;
  const parts = [
    ...(connectors.length > 0 ? [`connectors ${connectors.flatMap(({ names }) => names).join(', ')}`] : []),
    ...(facets.length > 0 ? [`facets ${facets.join(', ')}`] : []),
    ...(has.mapName ? ['name mapper'] : []),
    ...(has.transport ? ['transport'] : []),
    ...(has.transform ? ['transformer'] : []),
  ];
  return [...byTemplate, ok('extension', parts.length === 0 ? 'it exports nothing' : parts.join('; '))];
};
