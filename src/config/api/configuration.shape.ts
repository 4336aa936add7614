import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

export const RestartShape = Type.Object({ need_reboot: Type.Boolean() }, { ...closed, title: 'NeedReboot' });

/** Groups of settings in the form of the configuration API (spec §4.1.9). */
export const ConfigurationShape = Type.Object(
  {
    configs: Type.Array(
      Type.Object(
        {
          group: Type.String(),
          key: Type.String(),
          value: Type.Unknown(),
          db: Type.Optional(Type.Array(Type.String())),
          /** What of it is no setting here: it is stored and has no effect. */
          unknown: Type.Optional(Type.Array(Type.String())),
        },
        closed,
      ),
    ),
    need_reboot: Type.Boolean(),
  },
  { ...closed, title: 'Configuration' },
);

const described = { key: Type.String(), label: Type.String(), description: Type.String() };

const typed = {
  ...described,
  type: Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]))]),
  suggestions: Type.Array(Type.String()),
};

/** A setting; one that is an object has its fields as children. */
const child = Type.Object({ ...typed, children: Type.Optional(Type.Array(Type.Object(typed, closed))) }, closed);

/** The settings with their types and texts, for the pages of dashboards. */
export const DescriptionsShape = Type.Array(
  Type.Object(
    {
      group: Type.String(),
      ...described,
      type: Type.String(),
      /** The page of the dashboard that it belongs to. */
      tab: Type.Optional(Type.String()),
      /** The policy that it is about. */
      related_policy: Type.Optional(Type.String()),
      children: Type.Array(child),
    },
    { ...closed, title: 'ConfigurationDescription' },
  ),
);

export type ConfigurationJson = Static<typeof ConfigurationShape>;
export type DescriptionsJson = Static<typeof DescriptionsShape>;
