import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  if (!globalThis.testDatabase) return;
  const { postgres, folder, guard } = globalThis.testDatabase;
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  guard.stdin.end();
}
