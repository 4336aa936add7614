import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type supertest from 'supertest';
import type { AttachmentJson } from '../../src/media/index.js';
import type { TestApp } from './app.js';
import { picture } from './media-files.js';

/** The answer of an upload. */
export type Uploaded = AttachmentJson;

export interface SendOptions {
  readonly path?: string;
  readonly name?: string;
  readonly description?: string;
  readonly thumbnail?: Buffer | string;
}

/** Sends a file as one of the world's people, who calls it `name` whatever it is, and what is to stand for it. */
export async function sendFile(
  app: TestApp,
  person: string,
  content: Buffer | string,
  { path = '/api/v2/media', name = 'file.png', description = '', thumbnail }: SendOptions = {},
): Promise<supertest.Response> {
  const client = await app.world.as(person);
  const form = app.http.post(path).set('authorization', `Bearer ${client.token}`);
  if (thumbnail !== undefined) void form.attach('thumbnail', Buffer.from(thumbnail), 'cover.jpg');
  if (description !== '') void form.field('description', description);
  return form.attach('file', Buffer.from(content), name);
}

/** Uploads a small picture, or what is given. */
export async function upload(app: TestApp, person: string, content?: Buffer): Promise<Uploaded> {
  const answer = await sendFile(app, person, content ?? (await picture()));
  if (answer.status !== 200) throw new Error(`The upload was refused: ${answer.text}`);
  return answer.body as Uploaded;
}

/** Everything that lies in the storage and among the uploads that run. */
export async function filesOnDisk(app: TestApp): Promise<{ stored: string[]; temporary: string[] }> {
  const below = async (folder: string) => {
    const entries = await readdir(join(app.env.dataDir, folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };
  return { stored: await below('media'), temporary: await below('uploads') };
}

/** The path of an address of this server. */
export function pathOf(url: string): string {
  return new URL(url).pathname;
}
