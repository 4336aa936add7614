// Starts Swagger UI on the page of the API reference: with a search for words, a field for a token, and calls to this
// server only.

const DOCUMENT = '/api/openapi';

const operationsOf = (api) => Object.values(api.paths).flatMap((methods) => Object.values(methods));

/**
 * Lets readers paste a token: this page is no app that could be sent back to after a consent. The scopes, which stand in
 * the scheme that is left out, become a sentence of their operation.
 */
function withToken(api) {
  for (const operation of operationsOf(api)) {
    const scopes = operation.security.flatMap(({ oauth2 = [] }) => oauth2);
    const schemes = new Set(operation.security.flatMap((entry) => Object.keys(entry)));
    operation.security = [...schemes].map((name) => ({ [name === 'oauth2' ? 'token' : name]: [] }));
    if (scopes.length > 0) operation.description = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  }
  const { oauth2, ...schemes } = api.components.securitySchemes;
  const token = { type: 'http', scheme: 'bearer', description: oauth2.description };
  return { ...api, components: { ...api.components, securitySchemes: { token, ...schemes } } };
}

/**
 * The document as OpenAPI 3.0: Swagger UI needs a minute of work for references of 3.1. Types that may be null become
 * `nullable`, and a description beside a reference stays.
 */
const asOlder = (api) => ({ ...olderSchema(api), openapi: '3.0.3' });

function olderSchema(value) {
  if (Array.isArray(value)) return value.map(olderSchema);
  if (typeof value !== 'object' || value === null) return value;
  const older = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, older31(key, inner)]));
  const { $ref, anyOf, const: only, patternProperties, ...others } = older;
  if ($ref) return Object.keys(others).length > 0 ? { allOf: [{ $ref }], ...others } : { $ref };
  if (only !== undefined) return { enum: [only], ...others };
  if (patternProperties) return { additionalProperties: Object.values(patternProperties)[0], ...others };
  if (!anyOf) return older;
  const types = anyOf.filter(({ type }) => type !== 'null');
  if (types.length === anyOf.length) return older;
  return { ...(types.length === 1 ? { allOf: types } : { anyOf: types }), nullable: true, ...others };
}

/** Examples stay as they are. */
const older31 = (key, value) => (key === 'example' || key === 'default' ? value : olderSchema(value));

/** The search: each word stands in the method, the path, the summary or the id of an operation, or in its tag. */
function matching(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (name) => (one) => {
    const operation = one.get('operation');
    const id = operation.get('__originalOperationId') ?? operation.get('operationId'); // an open one has another id
    const line = [name, one.get('method'), one.get('path'), operation.get('summary'), id].join(' ').toLowerCase();
    return words.every((word) => line.includes(word));
  };
  return tags
    .map((tag, name) => tag.update('operations', (operations) => operations.filter(matches(name))))
    .filter((tag) => tag.get('operations').size > 0);
}

/** What is searched for. Without a search the filter is `true`. */
const phraseOf = (filter) => (typeof filter === 'string' && filter !== 'true' ? filter : '');

function searchField({ React }) {
  const create = React.createElement;
  return function Search({ layoutSelectors, layoutActions }) {
    const input = create('input', {
      type: 'search',
      value: phraseOf(layoutSelectors.currentFilter()),
      onChange: ({ target }) => layoutActions.updateFilter(target.value),
    });
    return create('label', { className: 'reference-search' }, 'Search operations', input);
  };
}

const search = (system) => ({
  fn: { opsFilter: matching },
  components: { FilterContainer: searchField(system) },
});

async function start() {
  const answer = await fetch(DOCUMENT);
  if (!answer.ok) throw new Error(`${DOCUMENT} answered ${answer.status}`);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  document.documentElement.classList.toggle('dark-mode', dark.matches);
  window.SwaggerUIBundle({
    dom_id: '#reference',
    spec: asOlder(withToken(await answer.json())),
    plugins: [search],
    filter: true,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}

start().catch((error) => {
  document.getElementById('reference').textContent = String(error);
});
