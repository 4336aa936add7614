import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from './embedded-cluster.js';
import { makeSocketFolder, removeSocketFolder } from './embedded-socket.js';

const ROUNDS = 500;

it('makes the folder of a socket while a server that ends removes it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'svc-socket-'));
  const folder = join(parent, 'socket');
  const cluster = { data: parent, identity: {} } as Cluster;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [made] = await Promise.all([makeSocketFolder(cluster, folder), removeSocketFolder(folder)]);
      expect(made).toBe(folder);
    }
  } finally {
    await rm(parent, { recursive: true });
  }
});
