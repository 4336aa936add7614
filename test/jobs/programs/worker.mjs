// A process that only runs jobs: node worker.mjs <database address as JSON>, with variables of the environment as usual.
// Its letters write down in the table `runs` when they begin and when they end. After the first 20 they wait in their middle
// until there is a row in the table `gate`.
import { setTimeout as delay } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const platform = new URL('../../../dist/platform.index.js', import.meta.url);
const { Database, dataSourceOptions, Handles, job, JobRow, PlatformModule, readEnv, Worker } = await import(
  platform.href
);

const UNGATED = 20;

class Letters {
  begun = 0;

  constructor(db) {
    this.db = db;
  }

  async letter({ text }) {
    const write = 'insert into runs (text, worker) values ($1, $2) returning id';
    const [{ id }] = await this.db.query(write, [text, process.pid]);
    this.begun += 1;
    if (this.begun > UNGATED) await this.pass();
    await this.db.query('select pg_sleep(0.01)');
    await this.db.query('update runs set ended_at = clock_timestamp() where id = $1', [id]);
  }

  async pass() {
    while ((await this.db.query('select from gate')).length === 0) await delay(20);
  }
}
const method = Object.getOwnPropertyDescriptor(Letters.prototype, 'letter');
Handles(job('test.letter', 'deliver'))(Letters.prototype, 'letter', method);

class Root {}
const options = dataSourceOptions(JSON.parse(process.argv[2]), { entities: [JobRow], migrations: [] });
Module({
  imports: [PlatformModule.register(readEnv(process.env), options)],
  providers: [{ provide: Letters, inject: [Database], useFactory: (db) => new Letters(db) }],
})(Root);

const app = await NestFactory.createApplicationContext(Root, { logger: ['error'] });
process.on('SIGTERM', async () => {
  await app.close();
  process.exit();
});
await app.get(Worker).start();
console.log('WORKING');
