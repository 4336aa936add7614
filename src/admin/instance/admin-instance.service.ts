import { Injectable } from '@nestjs/common';
import type { Actor } from '../../config/index.js';
import {
  type AnnouncementDraft,
  AnnouncementsService,
  type DocumentName,
  InstanceDocumentsService,
  RulesService,
} from '../../instance/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { ModerationAction } from '../log/moderation-log.messages.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

interface RuleDraft {
  readonly text?: string | undefined;
  readonly hint?: string | undefined;
  readonly priority?: number | undefined;
}

/** Changes of what the server says about itself (spec §4.1.8). Each adds an entry to the moderation log. */
@Injectable()
export class AdminInstanceService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly rules: RulesService,
    private readonly announcements: AnnouncementsService,
    private readonly documents: InstanceDocumentsService,
    private readonly log: ModerationLogService,
  ) {}

  /** Throws Unprocessable. */
  createRule(actor: Actor, rule: RuleDraft & { readonly text: string }) {
    return this.logged(actor, 'rule_create', 'rule', () => this.rules.create(rule));
  }

  /** Throws NotFound, Unprocessable. */
  updateRule(actor: Actor, id: string, changes: RuleDraft) {
    return this.logged(actor, 'rule_update', 'rule', () => this.rules.update(id, changes));
  }

  /** Throws NotFound. */
  async deleteRule(actor: Actor, id: string): Promise<void> {
    await this.logged(actor, 'rule_delete', 'rule', () => this.rules.delete(id).then(() => ({ id })));
  }

  /** Throws Unprocessable. */
  createAnnouncement(actor: Actor, draft: AnnouncementDraft & { readonly content: string }) {
    return this.logged(actor, 'announcement_create', 'announcement', () => this.announcements.create(draft));
  }

  /** Throws NotFound, Unprocessable. */
  updateAnnouncement(actor: Actor, id: string, draft: AnnouncementDraft) {
    return this.logged(actor, 'announcement_update', 'announcement', () => this.announcements.update(id, draft));
  }

  /** Throws NotFound. */
  async deleteAnnouncement(actor: Actor, id: string): Promise<void> {
    const remove = () => this.announcements.delete(id).then(() => ({ id }));
    await this.logged(actor, 'announcement_delete', 'announcement', remove);
  }

  /** Returns the address of the document. */
  async replaceDocument(actor: Actor, name: DocumentName, html: string): Promise<string> {
    const replace = () => this.documents.replace(name, html).then(() => ({ id: name }));
    await this.logged(actor, 'instance_document_update', 'instance_document', replace);
    return this.documents.urlOf(name);
  }

  /** Returns the address of the document. */
  async deleteDocument(actor: Actor, name: DocumentName): Promise<string> {
    const remove = () => this.documents.delete(name).then(() => ({ id: name }));
    await this.logged(actor, 'instance_document_delete', 'instance_document', remove);
    return this.documents.urlOf(name);
  }

  private logged<T extends { readonly id: string }>(
    actor: Actor,
    action: ModerationAction,
    type: string,
    write: () => Promise<T>,
  ): Promise<T> {
    return this.uow.run(async () => {
      const written = await write();
      await this.log.record(actor, action, { type, id: written.id });
      return written;
    });
  }
}
