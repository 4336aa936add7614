import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { runCtl } from '../../support/servers/ctl.js';

const app = useApp();

const ctl = (...args: string[]) => runCtl(app.variables, ...args);
/** The output of a successful command without complaints. */
const outputOf = async (...args: string[]): Promise<string> => {
  const { out, ...rest } = await ctl(...args);
  expect(rest).toEqual({ code: 0, err: '' });
  return out;
};

describe('rules', () => {
  it('are added, shown and removed, and the running server follows', async () => {
    const shown = async () => {
      await app.drain();
      return ((await app.http.get('/api/v1/instance/rules/').expect(200)).body as { text: string }[]).map(
        ({ text }) => text,
      );
    };
    expect(await outputOf('rules', 'list')).toBe('There are no rules.');
    expect(await shown()).toEqual([]);
    await outputOf('rules', 'add', 'Be kind', '--hint', 'To everybody');
    const [, id = ''] =
      /^Rule (\d+) was added\.$/.exec(await outputOf('rules', 'add', 'No spam', '--priority=-1')) ?? [];
    expect(await outputOf('rules', 'list')).toMatch(/^\d+ +No spam *\n\d+ +Be kind +To everybody$/);
    expect(await shown()).toEqual(['No spam', 'Be kind']);
    await outputOf('rules', 'remove', id);
    expect(await shown()).toEqual(['Be kind']);
  });

  it('are refused in a sentence when they are invalid', async () => {
    expect(await ctl('rules', 'add', ' ')).toEqual({ code: 1, out: '', err: 'text must not be empty' });
    expect((await ctl('rules', 'add', 'x', '--priority', 'high')).code).toBe(2);
    expect(await ctl('rules', 'remove', '999')).toEqual({ code: 1, out: '', err: 'There is no rule 999.' });
  });
});

describe('the staff of the server', () => {
  it('is shown by the running server as the commands have set it', async () => {
    const shown = async () => {
      await app.drain();
      const { body } = (await app.http.get('/api/v1/instance').expect(200)) as {
        body: { contact_account: { username: string } | null };
      };
      return body.contact_account?.username;
    };
    await app.world.person('first', { admin: true });
    await app.world.person('second');
    expect(await shown()).toBe('first');
    await outputOf('user', 'set', 'second', '--admin');
    await outputOf('user', 'set', 'first', '--no-admin');
    expect(await shown()).toBe('second');
    await outputOf('user', 'create', 'third', '--admin');
    await outputOf('user', 'set', 'second', '--no-active');
    expect(await shown()).toBe('third');
    await outputOf('user', 'set', 'second', '--active');
    expect(await shown()).toBe('second');
  });
});

describe('announcements', () => {
  it('are added, shown and deleted', async () => {
    await app.world.person('alice');
    const seen = async () =>
      ((await (await app.world.as('alice')).get('/api/v1/announcements/')).body as unknown[]).length;
    await outputOf('announcements', 'add', 'Later', '--from', '2999-01-01T10:00Z', '--all-day');
    const added = await outputOf('announcements', 'add', 'We move', '--until', '2999-01-01');
    const [, id = ''] = /^Announcement (\w{18}) was added\.$/.exec(added) ?? [];
    expect(await outputOf('announcements', 'list')).toMatch(new RegExp(`^\\* +${id} +We move\\n +\\w{18} +Later$`));
    expect(await seen()).toBe(1);
    await outputOf('announcements', 'remove', id);
    expect(await seen()).toBe(0);
  });

  it('are refused without a valid time', async () => {
    expect((await ctl('announcements', 'add', 'x', '--from', 'soon')).code).toBe(2);
    expect((await ctl('announcements', 'add', 'x', '--from', '2999-02-29T10:00Z')).code).toBe(2);
    expect((await ctl('announcements', 'add', 'x', '--from', '2999-01-02', '--until', '2999-01-01')).code).toBe(1);
  });
});

describe('invites', () => {
  const allow = ({ everybody, invited }: { everybody: boolean; invited: boolean }) =>
    app.get(SettingsService).update([
      { path: 'instance.registrations_open', value: everybody },
      { path: 'instance.invites_enabled', value: invited },
    ]);

  it('are created, shown and revoked', async () => {
    expect(await outputOf('invite', 'list')).toBe('There are no invites.');
    await allow({ everybody: false, invited: true });
    const link = await outputOf('invite', 'create', '--max-use', '3', '--expires-at', '2999-12-31');
    const [, token = ''] = /^https:\/\/svc\.test\/registration\/([\w-]{43})$/.exec(link) ?? [];
    expect(await outputOf('invite', 'list')).toMatch(new RegExp(`^TOKEN .*\n${token} +0/3 +2999-12-31 +ok$`));
    // one token in 4,096 looks like an option
    expect(await outputOf('invite', 'revoke', '--', token)).toBe('The invite was revoked.');
    expect(await outputOf('invite', 'list')).toMatch(/ended$/);
    expect(await ctl('invite', 'revoke', 'x')).toEqual({ code: 1, out: '', err: 'There is no such invite.' });
    expect((await ctl('invite', 'create', '--max-use', '0')).code).toBe(2);
    const log = await app.sql<{ message: string }>('select message from moderation_log order by id');
    expect(log.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^@operator made invite #/),
      expect.stringMatching(/^@operator revoked invite #/),
    ]);
  });

  it.each([
    [{ everybody: false, invited: false }, /^Invites are off, .*config set instance\.invites_enabled true$/],
    [{ everybody: true, invited: true }, /^Everybody may sign up here, .*instance\.registrations_open false$/],
  ])('are made with a warning where they are of no use: %j', async (may, warning) => {
    await allow(may);
    expect(await ctl('invite', 'create')).toEqual({
      code: 0,
      out: expect.stringMatching(/^https:\/\/svc\.test\/registration\/[\w-]{43}$/) as string,
      err: expect.stringMatching(warning) as string,
    });
  });
});
