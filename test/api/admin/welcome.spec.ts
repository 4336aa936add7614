import { AccountDeletionService, UserAdmissionService, UsersService } from '../../../src/accounts/index.js';
import { type SettingPath, SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';
import { PASSWORD } from '../../support/fixtures/world.js';

const mails = useMails();
const app = useApp({ people: ['ada', 'bea'], env: () => ({ SMTP_URL: mails.url }) });

beforeEach(async () => {
  await app.drain();
  mails.all.length = 0;
});

const EMAIL = 'newbie@mail.test';
const set = (values: Partial<Record<SettingPath, unknown>>) =>
  app.get(SettingsService).update(Object.entries(values).map(([path, value]) => ({ path, value })));
const arrive = async (state: { isConfirmed?: boolean; isApproved?: boolean } = {}) => {
  const { id } = await app.get(UsersService).create({ nickname: 'newbie', email: EMAIL, password: PASSWORD, ...state });
  await app.drain();
  return id;
};
const follows = () =>
  app.sql(`select a.nickname as follower, b.nickname as followee, f.state from follows f
    join accounts a on a.id = f.follower_id join accounts b on b.id = f.followee_id order by 1, 2`);
const messages = async () => {
  const posts = `select a.nickname as author, s.content_text as text, s.visibility,
    array(select m.account_id from mentions m where m.status_id = s.id) as receivers
    from statuses s join accounts a on a.id = s.author_id`;
  const chats = `select a.nickname as sender, m.content as text, m.recipient_id as receiver
    from chat_messages m join accounts a on a.id = m.sender_id`;
  return { posts: await app.sql(posts), chats: await app.sql(chats) };
};
const subjects = () => mails.to(EMAIL).map(({ headers }) => headers.get('subject'));

const ALL = {
  'instance.autofollowed_nicknames': ['ada'],
  'instance.autofollowing_nicknames': ['bea'],
  'welcome.direct_message': { enabled: true, sender_nickname: 'ada', message: 'Ask @bea about tea.' },
  'welcome.chat_message': { enabled: true, sender_nickname: 'bea', message: 'Tea?' },
  'welcome.email': {
    enabled: true,
    sender: 'tea@mail.test',
    subject: 'Tea at <%= instance_name %>',
    html: '<p>For <%= user.nickname %></p><script>1</script>',
    text: 'For <%= user.name %> of <%=instance_name%>',
  },
};

const setActive = (id: string, active: boolean) => app.get(UsersService).setActive(id, active);

describe('a new account', () => {
  const confirm = (id: string) => app.get(UsersService).confirm(id, EMAIL);
  const confirmByStaff = (id: string) => app.get(UserAdmissionService).confirm(id);
  const approve = (id: string) => app.get(UserAdmissionService).approve(id);
  const [waits, unconfirmed, both] = [
    { isApproved: false },
    { isConfirmed: false },
    { isApproved: false, isConfirmed: false },
  ];

  it.each<[what: string, state: object, ...steps: ((id: string) => Promise<boolean>)[]]>([
    ['made', {}],
    ['approved', waits, approve],
    ['confirmed', unconfirmed, confirm],
    ['confirmed by the staff', unconfirmed, confirmByStaff],
    ['approved and confirmed', both, approve, confirm],
    ['confirmed and approved', both, confirm, approve],
  ])('gets follows, messages and a mail once it is %s, and only once', async (_, state, ...steps) => {
    await set(ALL);
    const id = await arrive(state);
    for (const step of steps) {
      expect(await follows()).toEqual([]);
      expect(await messages()).toEqual({ posts: [], chats: [] });
      expect(subjects()).not.toContain('Tea at svc');
      for (let time = 0; time < 2; time += 1) await step(id);
      await app.drain();
    }
    expect(await follows()).toEqual([
      { follower: 'bea', followee: 'newbie', state: 1 },
      { follower: 'newbie', followee: 'ada', state: 1 },
    ]);
    expect(await messages()).toEqual({
      posts: [{ author: 'ada', text: '@newbie Ask @bea about tea.', visibility: 3, receivers: [id] }],
      chats: [{ sender: 'bea', text: 'Tea?', receiver: id }],
    });
    expect(subjects().filter((subject) => subject === 'Tea at svc')).toHaveLength(1);
    const letter = mails.to(EMAIL).at(-1)!;
    expect(letter.headers.get('from')).toContain('<tea@mail.test>');
    expect(letter.text + letter.html).toContain('For newbie of svc');
    expect(letter.html).toContain('<p>For newbie</p>');
    expect(letter.html).not.toContain('script');
  });

  it.each([
    ['confirmed', unconfirmed, confirm],
    ['confirmed by the staff', unconfirmed, confirmByStaff],
    ['approved', waits, approve],
  ])('gets them once it is activated, and only once, when it is %s while it is deactivated', async (_, state, step) => {
    await set(ALL);
    const id = await arrive(state);
    mails.all.length = 0;
    await setActive(id, false);
    await step(id);
    await app.drain();
    expect([await follows(), await messages(), subjects()]).toEqual([[], { posts: [], chats: [] }, []]);
    for (const isActive of [true, false, true]) {
      await setActive(id, isActive);
      await app.drain();
      expect(await follows()).toHaveLength(2);
      expect(await messages()).toMatchObject({ posts: [{ author: 'ada' }], chats: [{ sender: 'bea' }] });
      expect(subjects().filter((subject) => subject === 'Tea at svc')).toHaveLength(1);
    }
  });

  it.each<[what: string, values: Partial<Record<SettingPath, unknown>>]>([
    ['by default', {}],
    ['of accounts that do not exist', { ...names('nobody'), ...from('nobody') }],
    ['of accounts of other servers', names('zoe')],
    ['of deactivated accounts', { ...names('carl'), ...from('carl') }],
    ['of itself', { ...names('newbie'), ...from('newbie') }],
    ['without a text', { ...from('ada', '') }],
    [
      'that a policy refuses',
      { ...from('ada', 'spam'), 'mrf.policies': ['KeywordPolicy'], 'mrf_keyword.reject': ['spam'] },
    ],
  ])('gets no follows and no messages %s', async (_, values) => {
    await app.world.remote('zoe', 'far.example');
    await app.world.person('carl');
    await app.get(UsersService).setActive(app.world.id('carl'), false);
    await set(values);
    await arrive();
    expect(await follows()).toEqual([]);
    expect(await messages()).toEqual({ posts: [], chats: [] });
    expect(await app.sql('select name, last_error from jobs where last_error is not null')).toEqual([]);
  });

  it('sends follow requests to accounts that approve their followers', async () => {
    await app.world.person('lee', { locked: true });
    await set({ 'instance.autofollowed_nicknames': ['lee', 'LEE', 'ada'] });
    await arrive();
    expect(await follows()).toMatchObject([
      { followee: 'ada', state: 1 },
      { followee: 'lee', state: 0 },
    ]);
  });

  it.each([
    ['deleted', (id: string) => app.get(AccountDeletionService).delete(id)],
    ['deactivated', (id: string) => setActive(id, false)],
  ])('gets no messages when it is %s before the job runs', async (_, end) => {
    await set(ALL);
    const { id } = await app.get(UsersService).create({ nickname: 'newbie', email: EMAIL, password: PASSWORD });
    await end(id);
    await app.drain();
    expect([await messages(), subjects()]).toEqual([{ posts: [], chats: [] }, []]);
  });
});

function names(nickname: string) {
  return { 'instance.autofollowed_nicknames': [nickname], 'instance.autofollowing_nicknames': [nickname] };
}

function from(nickname: string, message = 'tea') {
  const value = { enabled: true, sender_nickname: nickname, message };
  return { 'welcome.direct_message': value, 'welcome.chat_message': value };
}
