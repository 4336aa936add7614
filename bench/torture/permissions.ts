import type { System } from './system.ts';

/** Takes permissions away through one process and asks another one at once: what it still allows is stale. */
export class Permissions {
  /** How many permissions were taken away, and how many of them were seen before. */
  taken = 0;
  seen = 0;
  readonly stale: string[] = [];
  /** What could not be taken away. */
  readonly failed: string[] = [];

  private constructor(
    private readonly system: System,
    private readonly post: string,
    private readonly readerId: string,
  ) {}

  static async prepare(system: System): Promise<Permissions> {
    const [web] = system.servers;
    const answer = await ask(web!.port, 'POST', '/api/v1/statuses', system.data.celebrity, {
      status: 'For followers',
      visibility: 'private',
    });
    const { id } = (await answer.json()) as { id: string };
    return new Permissions(system, id, await system.accountId('reader'));
  }

  /** Tries each way once: through the process at `from`, seen by the one at `to`. */
  async tryAll(from: number, to: number, when: string): Promise<void> {
    await this.revoke(from, to, when);
    await this.block(from, to, when);
  }

  /** A token that is revoked. */
  private async revoke(from: number, to: number, when: string): Promise<void> {
    const [token] = (await this.system.issueTokens([this.readerId])) as [string];
    const path = '/api/v1/accounts/verify_credentials';
    await this.compare(
      `${when}: a revoked token`,
      () => ask(to, 'GET', path, token),
      () => this.system.revoke(token, { port: from }),
    );
  }

  /** A reader whom the author blocks: the post for followers is theirs no more. */
  private async block(from: number, to: number, when: string): Promise<void> {
    const { reader, celebrity } = this.system.data;
    const [authorId] = await this.system.column<string>(`select author_id from statuses where id = $1`, this.post);
    await ask(from, 'POST', `/api/v1/accounts/${this.readerId}/unblock`, celebrity);
    await ask(from, 'POST', `/api/v1/accounts/${authorId}/follow`, reader);
    await this.compare(
      `${when}: a blocked reader`,
      () => ask(to, 'GET', `/api/v1/statuses/${this.post}`, reader),
      () => ask(from, 'POST', `/api/v1/accounts/${this.readerId}/block`, celebrity),
    );
  }

  private async compare(what: string, read: () => Promise<Response>, take: () => Promise<Response>): Promise<void> {
    if ((await read()).status === 200) this.seen += 1;
    const { status } = await take();
    if (status !== 200) return void this.failed.push(`${what}: could not be taken away, ${status}`);
    this.taken += 1;
    const after = await read();
    if (![401, 404].includes(after.status)) this.stale.push(`${what} was answered with ${after.status}`);
  }
}

function ask(port: number, method: string, path: string, token: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
}
