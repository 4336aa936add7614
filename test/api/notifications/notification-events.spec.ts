import { Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { BlocksService } from '../../../src/accounts/index.js';
import { AppModule } from '../../../src/app.module.js';
import { NotificationCreated } from '../../../src/notifications/index.js';
import { Events, ListensAfterCommit, UnitOfWork, Worker } from '../../../src/platform/index.js';
import { StatusCreated } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { post } from '../../support/fixtures/statuses.js';

@Injectable()
class Listener {
  readonly received: NotificationCreated[] = [];

  @ListensAfterCommit(NotificationCreated)
  receive(event: NotificationCreated): void {
    this.received.push(event);
  }
}

@Module({ providers: [Listener] })
class ListenerModule {}

/** A second process on the same database; it runs the jobs. */
let worker: TestingModule;
afterAll(() => worker.close()); // before its database is dropped
const app = useApp({ once: ['alice', 'bob', 'carol'] });

beforeAll(async () => {
  worker = await Test.createTestingModule({
    imports: [AppModule.register(app.env, app.address), ListenerModule],
  }).compile();
  await worker.init();
});

it('emits one event for each notification, which says whether the receiver has it muted', async () => {
  const [alice, carol] = [app.world.id('alice'), app.world.id('carol')];
  await app.get(BlocksService).mute(carol, alice, {});
  const { id } = await post(app, 'alice', '@bob @carol hello');
  const { received } = worker.get(Listener);
  await worker.get(Worker).drain();
  const rows = await app.sql<{ id: string; receiver_id: string; seen: boolean }>(
    'select id, receiver_id, seen from notifications order by id',
  );
  const announced = rows.map((row) => new NotificationCreated(row.id, row.receiver_id, 'mention', row.seen));
  expect(rows.map(({ seen }) => seen).sort()).toEqual([false, true]);
  expect(received.toSorted((one, other) => Number(one.notificationId) - Number(other.notificationId))).toEqual(
    announced,
  );

  const again = new StatusCreated({
    statusId: id,
    authorId: alice,
    local: true,
    visibility: 0,
    reblogOfId: null,
    inReplyToId: null,
    hasMentions: true,
    hasTags: false,
    isQuote: false,
    hasLinks: false,
    hasSubscribers: true,
    isNews: true,
  });
  await app.get(UnitOfWork).run(() => {
    app.get(Events).emit(again);
    return Promise.resolve();
  });
  expect(await worker.get(Worker).drain()).toBeGreaterThan(0);
  expect(received).toHaveLength(2);
});
