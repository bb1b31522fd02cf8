// Facets: who pays for an application, and which columns of its outputs hold personal data by their names.
// extensions: {module: /etc/streampark-lineage/extension-facets.mjs}

const costCentres = { shop: '4711', finance: '4712' };
const personal = /^(?:e?mail|phone|birth_?date|.*_name)$/i;

/** @type {Record<string, import('streampark-lineage/extension').FacetBuilder>} */
export const facets = {
  costs({ application }) {
    const costCentre = application.team === null ? undefined : costCentres[application.team];
    return costCentre === undefined ? null : { job: { acme_costs: { costCentre } } };
  },

  personalData({ output }) {
    const columns = output?.columns.map(({ name }) => name).filter((name) => personal.test(name)) ?? [];
    return columns.length === 0 ? null : { output: { acme_personalData: { columns } } };
  },
};
