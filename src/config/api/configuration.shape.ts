import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

const need_reboot = Described(Type.Boolean(), 'Whether a stored change waits for the next start of the server.');
const Group = Described(Type.String(), 'The group of the settings, as an atom such as `:svc`.');
const Key = Described(Type.String(), 'The key of the settings in their group, as an atom or the name of a module.');

export const RestartShape = Type.Object({ need_reboot }, { ...closed, title: 'NeedReboot' });

/** Groups of settings in the form of the configuration API (spec §4.1.9). */
export const ConfigurationShape = Type.Object(
  {
    configs: Described(
      Type.Array(
        Type.Object(
          {
            group: Group,
            key: Key,
            value: Described(Type.Unknown(), 'The value, with keyword lists as lists of tuples; secrets are masked.'),
            db: Described(
              Type.Optional(Type.Array(Type.String())),
              'The names of the entries that are stored; absent if all are defaults.',
            ),
            unknown: Described(
              Type.Optional(Type.Array(Type.String())),
              'The names of stored entries that are no settings here and have no effect.',
            ),
          },
          closed,
        ),
      ),
      'The settings by groups and keys.',
    ),
    need_reboot,
  },
  { ...closed, title: 'Configuration' },
);

const described = {
  label: Described(Type.String(), 'The name for people.'),
  description: Described(Type.String(), 'The meaning, in English; empty for none.'),
};

const typed = {
  key: Described(Type.String(), 'The name of the setting, as an atom.'),
  ...described,
  type: Described(
    Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]))]),
    'The type of the value; lists name the type of their items as well.',
  ),
  suggestions: Described(Type.Array(Type.String()), 'Possible values, or the default, as texts.'),
};

/** A setting; one that is an object has its fields as children. */
const child = Type.Object(
  {
    ...typed,
    children: Described(
      Type.Optional(Type.Array(Type.Object(typed, closed))),
      'The fields of a value that is an object.',
    ),
  },
  closed,
);

/** The settings with their types and texts, for the pages of dashboards. */
export const DescriptionsShape = Type.Array(
  Type.Object(
    {
      group: Group,
      key: Key,
      ...described,
      type: Described(Type.String(), 'Always `group`.'),
      tab: Described(Type.Optional(Type.String()), 'The page of the dashboard that shows the group.'),
      related_policy: Described(Type.Optional(Type.String()), 'The policy that the settings belong to.'),
      children: Described(Type.Array(child), 'The settings of the group.'),
    },
    { ...closed, title: 'ConfigurationDescription' },
  ),
);

export type ConfigurationJson = Static<typeof ConfigurationShape>;
export type DescriptionsJson = Static<typeof DescriptionsShape>;
