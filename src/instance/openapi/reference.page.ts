import {
  type Html,
  html,
  type JsonSchema,
  type PageContent,
  parametersOf,
  type Translator,
  unique,
} from '../../common/index.js';
import { brandedPath, namesIn } from './paths.js';
import type { Operation } from './route-catalogue.js';
import { Schemas } from './schemas.js';
import { tagOf } from './tags.js';

const REFERENCE = /^#\/components\/schemas\/(.*)$/;
const DOCUMENT = '/api/openapi';

/** The API reference as a page: every route by module, and the schemas of the answers. */
export function referencePage(t: Translator, routes: readonly Operation[], brand: string): PageContent {
  const schemas = new Schemas(brand);
  const modules = unique(routes.map(({ module }) => tagOf(module)));
  const parts = modules.map((name) =>
    modulePart(
      t,
      name,
      routes.filter(({ module }) => tagOf(module) === name),
      schemas,
      brand,
    ),
  );
  const named = schemas.named();
  const title = t.text('api.title');
  return {
    title,
    description: title,
    main: html`<h1>${title}</h1>
      <p class="lead">${t.html('api.lead', { document: html`<a href="${DOCUMENT}">${DOCUMENT}</a>` })}</p>
      <p>${t.html('api.prefixes', { newer: path(`/api/v1/${brand}`), older: path(`/api/${brand}`) })}</p>
      <nav aria-label="${t.text('api.contents')}">
        <ul class="index">
          ${modules.map((name) => html`<li><a href="#${name}">${name}</a></li>`)}
          <li><a href="#shapes">${t.text('api.shapes')}</a></li>
        </ul>
      </nav>
      ${parts}
      <section class="api" id="shapes">
        <h2>${t.text('api.shapes')}</h2>
        ${named.map(([name, schema]) => shapePart(name, schema))}
      </section>`,
  };
}

function modulePart(t: Translator, name: string, routes: readonly Operation[], schemas: Schemas, brand: string): Html {
  return html`<section class="api" id="${name}">
    <h2>${name}</h2>
    ${routes.map((route) => routePart(t, route, schemas, brand))}
  </section>`;
}

function routePart(t: Translator, route: Operation, schemas: Schemas, brand: string): Html {
  const { access, answer, method, text } = route;
  const scopes = access.scopes.map((scope) => html` <code>${scope}</code>`);
  return html`<article id="${route.id}">
    <h3><b>${method}</b> ${path(brandedPath(route.path, brand))}</h3>
    <p lang="en">${text.summary}</p>
    <p>${t.text(`api.access.${access.kind}`)}${scopes}</p>
    ${parameters(t, route, schemas)}
    ${answer && html`<p>${t.text('api.answer')} ${type(schemas.of(answer.shape as JsonSchema))}</p>`}
  </article>`;
}

function parameters(t: Translator, { input, path }: Operation, schemas: Schemas): Html | undefined {
  const inPath = namesIn(path);
  const fields = (input ? parametersOf(input) : []).filter(({ name }) => !inPath.includes(name));
  if (fields.length === 0) return undefined;
  const items = fields.map(({ name, required, schema }) => {
    const initial = schema['default'];
    return html`<li>
      <code>${schemas.name(name)}</code> ${type(schemas.of(schema))}
      ${required && html`<b>${t.text('api.required')}</b>`}
      ${isTelling(initial) && t.html('api.default', { value: html`<code>${JSON.stringify(initial)}</code>` })}
    </li>`;
  });
  return html`<ul>
    ${items}
  </ul>`;
}

/** An empty list is the obvious default of a list, and is not shown. */
function isTelling(initial: unknown): boolean {
  return initial !== undefined && !(Array.isArray(initial) && initial.length === 0);
}

function shapePart(name: string, schema: JsonSchema): Html {
  const fields = propertiesOf(schema);
  return html`<article id="${name}">
    <h3>${name}</h3>
    ${
      fields.length === 0
        ? html`<p>${type(schema)}</p>`
        : html`<ul>
            ${fields.map(([field, is, isOptional]) => html`<li><code>${field}${isOptional && '?'}</code> ${type(is)}</li>`)}
          </ul>`
    }
  </article>`;
}

/** A schema in a few words: JSON types, quoted constants, links to named schemas. */
function type(schema: JsonSchema): Html {
  const { $ref: reference, anyOf, enum: words, const: word, items, not } = schema;
  const [, name] = REFERENCE.exec(typeof reference === 'string' ? reference : '') ?? [];
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`;
  if (Array.isArray(anyOf)) return joined((anyOf as JsonSchema[]).map(type), ' | ');
  if (Array.isArray(words)) return joined(words.map(literal), ' | ');
  if (word !== undefined) return literal(word);
  if (not !== undefined) return html`never`;
  if (items !== undefined) return html`[${type(items as JsonSchema)}]`;
  return schema['type'] === 'object' ? object(schema) : html`${plain(schema['type'])}`;
}

function object(schema: JsonSchema): Html {
  const fields = propertiesOf(schema).map(([field, is, isOptional]) => html`${field}${isOptional && '?'}: ${type(is)}`);
  const byPattern = (schema['patternProperties'] ?? {}) as Readonly<Record<string, unknown>>;
  const named = [schema['additionalProperties'], ...Object.values(byPattern)].filter(isSchema);
  return html`{${joined([...fields, ...named.map((other) => html`…: ${type(other)}`)], ', ')}}`;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function propertiesOf({ properties, required }: JsonSchema): [name: string, schema: JsonSchema, isOptional: boolean][] {
  const needed = new Set((required ?? []) as string[]);
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, schema]) => [
    name,
    schema,
    !needed.has(name),
  ]);
}

function plain(type: unknown): string {
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function literal(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))}`;
}

function path(text: string): Html {
  return html`<code>${text}</code>`;
}
