import { environmentVariables } from '../../platform/index.js';
import { type Definitions, type Setting, splitPath } from './setting.js';

const INTRODUCTION = `# Settings

Variables of the [environment](#environment) are fixed for the life of a process: addresses, secrets, folders. [Live
settings](#live-settings) can be changed while the server runs, over the API or with \`ctl config\`.

This file is made from \`src/platform/env/env-variables.ts\` and the definitions in \`src/config\` by \`npm run settings:docs\`;
a test keeps them equal.

## Environment

Set them before \`npm start\` or \`npm run ctl\`, for example \`BASE_URL=https://social.example npm start\`. An empty variable
counts as not set. A start with a wrong one is refused and names all that is wrong.
`;

const BRAND = `### Another brand

Apps that were written for Pleroma or Akkoma ask for routes, fields and features under the name of that server.
The setting \`instance.compat_brand\` makes this server use that word wherever the API says \`svc\`; \`COMPAT_BRAND=<name>\` is its
value until it is set. The word is in paths such as \`/api/v1/<name>/…\` (those with \`svc\` always work), in the object
\`<name>\` of statuses, accounts and the instance document, in names of parameters, features, streams and notification types, in
the version text and NodeInfo. Apps then recognise the server as one they know and offer what they offer there: reactions,
bookmark folders, quotes. Posts name their conversations by numbers in that case
([ADR 20](adr/0020-numbers-under-another-brand.md)). The word is also a reserved name for accounts. The pages and the
ActivityPub documents stay the same.

A change holds at once, for everybody: apps that were written for the word before find neither their paths nor their objects
any more. Copies of posts in reports stay as they were made.
`;

const LIVE = `## Live settings

Show and change them with \`npm run ctl -- config dump\`, \`config set <path> <value>\` and \`config reset <path>\`. Values are
JSON. A change holds at once, unless the setting says that it needs a restart: the commands return when every running server
follows, and say so when one did not within five seconds.
`;

/** The settings that some apps depend on, by what was tried and by the sources of the apps (docs/clients.md). */
const APPS: readonly (readonly [path: string, apps: string, why: string])[] = [
  [
    'instance.compat_brand',
    'pleroma-fe, AdminFE, the library megalodon as `pleroma`, Phanpy',
    'With `pleroma` the first three work at all, and Phanpy names notifications of reactions.',
  ],
  [
    'apps.reference_shapes',
    "Tusky, Pachli, Mastodon for Android and iOS, Moshidon, Megalodon, Ice Cubes; with `*` Mastodon's own front end",
    'They cannot read the object of roles, visibilities of their own or ids of push subscriptions as texts.',
  ],
  [
    'captcha.enabled',
    'every app made for Mastodon that signs people up',
    'They know no captcha: with it, people sign up on the page of this server.',
  ],
  [
    'push.legacy_encryption',
    'mobile apps with an older relay of pushes',
    'They read no other form, and do not ask for one.',
  ],
  ['frontends.primary', 'pleroma-fe', 'Visitors and signed-in people see it in place of the pages of this server.'],
  ['frontends.admin', 'AdminFE', 'It is served below `/svc/admin/`; it needs `instance.compat_brand` `pleroma`.'],
];

/** The text of docs/settings.md: a table of the environment, and one for each group of live settings. */
export function settingsDocument(definitions: Definitions): string {
  const groups = Object.groupBy(Object.entries(definitions), ([path]) => splitPath(path).group);
  const sections = Object.entries(groups).map(([group, settings = []]) => section(group, settings));
  return [INTRODUCTION, environment(), BRAND, LIVE, apps(definitions), ...sections].join('\n');
}

function environment(): string {
  const rows = Object.entries(environmentVariables).map(([name, variable]) => {
    const { meaning, default: value, otherwise }: { meaning: string; default?: string; otherwise?: string } = variable;
    return cells([`\`${name}\``, meaning, value ? `\`${value}\`` : (otherwise ?? 'none')]);
  });
  return ['| Variable | What it does | Default |', '|---|---|---|', ...rows, ''].join('\n');
}

/** @throws Error for a setting that does not exist */
function apps(definitions: Definitions): string {
  const rows = APPS.map(([path, names, why]) => {
    if (!Object.hasOwn(definitions, path)) throw new Error(`${path} is no setting`);
    return cells([`\`${path}\``, names, why]);
  });
  const intro = 'Which [apps](clients.md) a setting matters for; it makes no difference to the others that were tried.';
  return ['### Settings for some apps', '', intro, '', '| Setting | Apps | Why |', '|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

function section(group: string, settings: readonly (readonly [string, Setting])[]): string {
  const rows = settings.map(([path, setting]) => row(path, setting));
  return [`### ${group}`, '', '| Setting | What it does | Values | Default |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

function row(path: string, setting: Setting): string {
  return cells([
    `\`${path}\``,
    description(setting),
    String(setting.type.words),
    `\`${JSON.stringify(setting.default)}\``,
  ]);
}

function cells(texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}

function description({ description: text, suggestions, reboot, secret }: Setting): string {
  const examples = suggestions.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const notes = [
    text,
    examples && `For example ${examples}.`,
    reboot && 'Needs a restart.',
    secret && 'Secret: never shown.',
  ];
  return notes.filter(Boolean).join(' ');
}
