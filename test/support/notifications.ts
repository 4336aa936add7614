import { expect } from '@jest/globals';
import { type NotificationJson, NotificationShape } from '../../src/notifications/index.js';
import type { TestApp } from './app.js';
import { checkShape } from './shape.js';

/** Runs what is due and answers the list of one of the world's people, each entry checked against its shape. */
export async function notificationsOf(
  app: TestApp,
  person: string,
  query: Record<string, unknown> = {},
): Promise<NotificationJson[]> {
  await app.drain();
  const client = await app.world.as(person);
  const list = (await client.get('/api/v1/notifications', query).expect(200)).body as NotificationJson[];
  for (const notification of list) expect(checkShape(NotificationShape, notification)).toEqual([]);
  return list;
}

/** Of each notification its type and who did it, newest first. */
export async function heardBy(app: TestApp, person: string, query: Record<string, unknown> = {}): Promise<string[]> {
  return (await notificationsOf(app, person, query)).map(({ type, account }) => `${type} ${account.acct}`);
}
