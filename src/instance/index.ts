export { Announcement, AnnouncementReaction, AnnouncementRead } from './announcements/announcement.entities.js';
export { type AnnouncementJson, AnnouncementShape, AnnouncementsShape } from './announcements/announcement.shape.js';
export { type AnnouncementDraft, AnnouncementsService } from './announcements/announcements.service.js';
export { AnnouncementView } from './announcements/announcement.view.js';
export {
  AnnouncementDeleted,
  AnnouncementEnded,
  AnnouncementPublished,
  AnnouncementReacted,
} from './model/instance.events.js';
export type { Build, FrontendFiles } from './frontends/frontend.store.js';
export {
  type FrontendSource,
  type InstalledFrontend,
  FrontendsService,
  type ListedFrontend,
  MAX_BUILD_BYTES,
} from './frontends/frontends.service.js';
export { type Probe, ProbeShape } from './health/probe.shape.js';
export { ProbeTickets } from './health/probe-tickets.js';
export type { OnlineFinding, OnlineReport } from './online/finding.js';
export { OnlineChecksService, RUN_LOCK } from './online/online-checks.service.js';
export { HealthcheckShape } from './health/healthcheck.shape.js';
export { documentName, type DocumentName, InstanceDocumentsService } from './texts/instance-documents.service.js';
export { InstanceText } from './texts/instance-text.entity.js';
export { InstanceDocuments, type Overview } from './documents/instance-documents.js';
export { InstanceModule } from './instance.module.js';
export { InstanceTotals } from './figures/instance-totals.entity.js';
export {
  ActivityShape,
  InstanceV1Shape,
  InstanceV2Shape,
  PeersShape,
  RuleShape,
  RulesShape,
} from './documents/instance.shape.js';
export { InstanceWeek } from './figures/instance-week.entity.js';
export { NodeInfo20Shape, NodeInfo21Shape, NodeInfoLinksShape } from './documents/nodeinfo.shape.js';
export { pictureUrl, shortDescription } from './documents/presentation.js';
export { Rule } from './rules/rule.entity.js';
export type { RuleRow } from './rules/rules.repository.js';
export { RulesService } from './rules/rules.service.js';
