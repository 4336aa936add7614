import { type Definitions, type Setting, splitPath } from './setting.js';

const INTRODUCTION = `# Settings

What can be changed while the server runs. Show and change them with \`npm run ctl -- config dump\`, \`config set <path>
<value>\` and \`config reset <path>\`. Values are JSON. A change holds at once, unless the setting says that it needs a restart.
What is fixed for the life of a process (addresses, secrets, folders) stands in the environment instead.

This file is made from the definitions in \`src/config\` by \`npm run settings:docs\`; a test keeps the two equal.
`;

/** The text of docs/settings.md: one table for each group. */
export function settingsDocument(definitions: Definitions): string {
  const groups = Object.groupBy(Object.entries(definitions), ([path]) => splitPath(path).group);
  const sections = Object.entries(groups).map(([group, settings = []]) => section(group, settings));
  return [INTRODUCTION, ...sections].join('\n');
}

function section(group: string, settings: readonly (readonly [string, Setting])[]): string {
  const rows = settings.map(([path, setting]) => row(path, setting));
  return [`## ${group}`, '', '| Setting | What it does | Values | Default |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

function row(path: string, setting: Setting): string {
  const cells = [`\`${path}\``, description(setting), setting.type.words, `\`${JSON.stringify(setting.default)}\``];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
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
