import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Notification } from 'pg';
import { DataSource } from 'typeorm';
import type { Channel, ConnectionExtra, ListeningClient } from './data-source.js';
import { Database } from './database.js';
import { sql } from './sql.js';

const notify = sql('platform.notify', `select pg_notify($1, $2)`);

/**
 * Short messages through the database, for processes without a common bus, such as a server and an operator's command.
 */
@Injectable()
export class DatabaseSignals {
  constructor(
    private readonly db: Database,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * Calls the listener when a message comes to one of the {@link CHANNELS}, and without one when one may have been missed. A message
   * that this process sends comes before the statement or the commit that sends it resolves: every connection listens,
   * and PostgreSQL says it there first.
   */
  follow(channel: Channel, listener: (message?: string) => void): void {
    const { messages } = this.dataSource.options.extra as ConnectionExtra;
    messages.on(channel, listener);
  }

  /** Sends a message to all listeners when the open unit of work commits. */
  async send(channel: string, message: string): Promise<void> {
    await this.db.run(notify, [channel, message]);
  }

  /**
   * Sends a message on the connection that heard the question, to whoever asked for it on a channel. All other connections
   * may wait for such answers themselves.
   */
  async answer(client: ListeningClient, channel: string, message: string): Promise<void> {
    await client.query({ ...notify, values: [channel, message] });
  }

  /** Listens on a connection of its own; call the returned function to stop. */
  async listen(channel: string, onMessage: (message: string) => void): Promise<() => void> {
    const client = await this.db.pool.connect();
    client.on('notification', ({ payload = '' }: Notification) => onMessage(payload));
    const stop = () => client.release(true); // ends the connection, and with it the listening
    try {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }
}
