/* Imports from the built server: run `npm run build` first, as `npm run bench` does. */

const dist = (path: string) => import(new URL(`../dist/${path}`, import.meta.url).href) as Promise<unknown>;

export const { FlakeIds, generateActorKey, hashPassword, hashToken, newToken, sealSecret } = (await dist(
  'platform.index.js',
)) as typeof import('../src/platform/index.js');

/** Makes ids. */
export type Ids = import('../src/platform/index.js').FlakeIds;

export const { RequestSigner } = (await dist(
  'federation.signatures.request-signer.js',
)) as typeof import('../src/federation/signatures/request-signer.js');

export const { EmbeddedPostgres } = (await dist(
  'platform.embedded.embedded.js',
)) as typeof import('../src/platform/embedded/embedded.js');

/** A running bundled PostgreSQL. */
export type PostgresServer = import('../src/platform/embedded/embedded.js').EmbeddedPostgres;

export const { migrate, schemaMaker } = (await dist('migrate.js')) as typeof import('../src/migrate.js');
