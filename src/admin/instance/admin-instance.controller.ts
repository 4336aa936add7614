import { Delete, Get, Header, Param, Patch, Post } from '@nestjs/common';
import {
  AcceptsFiles,
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  Invalid,
  Json,
  NothingShape,
  Summary,
  TextShape,
} from '../../common/index.js';
import {
  AnnouncementShape,
  AnnouncementsService,
  AnnouncementView,
  documentName,
  InstanceDocumentsService,
  RulesService,
} from '../../instance/index.js';
import { StatusTotals } from '../../statuses/index.js';
import {
  AdminAnnouncementsQuery,
  AnnouncementChangesBody,
  InstanceDocumentBody,
  NewAnnouncementBody,
  NewRuleBody,
  RuleChangesBody,
  StatsQuery,
} from './admin-instance.dto.js';
import { AdminInstanceService } from './admin-instance.service.js';
import { AdminRuleShape, DocumentUrlShape, StatsShape } from './admin-instance.shape.js';

const DOCUMENT = { maxBytes: { file: 262_144 } };

/** `A/rules`. */
@AdminApi('rules')
export class AdminRulesController {
  constructor(
    private readonly rules: RulesService,
    private readonly changes: AdminInstanceService,
  ) {}

  @Summary('Lists the rules of the server by priority.')
  @Get()
  @AdminOnly('admin:read')
  @Answers([AdminRuleShape])
  async list(): Promise<Json> {
    return Json.of(await this.rules.all());
  }

  @Summary('Adds a rule.')
  @Post()
  @AdminOnly('admin:write')
  @Answers(AdminRuleShape)
  async create(@CurrentAuth() actor: Auth, @Input(NewRuleBody) input: NewRuleBody): Promise<Json> {
    return Json.of(await this.changes.createRule(actor, input));
  }

  @Summary('Changes a rule; only the given fields change.')
  @Patch(':id')
  @AdminOnly('admin:write')
  @Answers(AdminRuleShape)
  async update(
    @CurrentAuth() actor: Auth,
    @Param('id') id: string,
    @Input(RuleChangesBody) input: RuleChangesBody,
  ): Promise<Json> {
    return Json.of(await this.changes.updateRule(actor, id, input));
  }

  @Summary('Deletes a rule.')
  @Delete(':id')
  @AdminOnly('admin:write')
  @Answers(NothingShape)
  async remove(@CurrentAuth() actor: Auth, @Param('id') id: string): Promise<object> {
    await this.changes.deleteRule(actor, id);
    return {};
  }
}

/** `A/announcements` (spec §4.1.8): also those that have not begun, and those that are over. */
@AdminApi('announcements')
export class AdminAnnouncementsController {
  constructor(
    private readonly announcements: AnnouncementsService,
    private readonly changes: AdminInstanceService,
    private readonly view: AnnouncementView,
  ) {}

  @Summary('Lists all announcements, also those that have not begun or are over.')
  @Get()
  @AdminOnly('admin:read')
  @Answers([AnnouncementShape])
  async list(
    @CurrentAuth() { accountId }: Auth,
    @Input(AdminAnnouncementsQuery) { limit, offset }: AdminAnnouncementsQuery,
  ): Promise<Json> {
    return Json.array(
      await this.view.many(await this.announcements.page(limit, offset, accountId), accountId ?? undefined),
    );
  }

  @Summary('Shows one announcement.')
  @Get(':id')
  @AdminOnly('admin:read')
  @Answers(AnnouncementShape)
  async show(@CurrentAuth() actor: Auth, @Param('id') id: string): Promise<Json> {
    return this.rendered(actor, id);
  }

  @Summary('Creates an announcement.')
  @Post()
  @AdminOnly('admin:write')
  @Answers(AnnouncementShape)
  async create(
    @CurrentAuth() actor: Auth,
    @Input(NewAnnouncementBody) { content, times }: NewAnnouncementBody,
  ): Promise<Json> {
    const { id } = await this.changes.createAnnouncement(actor, { ...times, content });
    return this.rendered(actor, id);
  }

  @Summary('Changes an announcement; only the given fields change.')
  @Patch(':id')
  @AdminOnly('admin:write')
  @Answers(AnnouncementShape)
  async update(
    @CurrentAuth() actor: Auth,
    @Param('id') id: string,
    @Input(AnnouncementChangesBody) { content, times }: AnnouncementChangesBody,
  ): Promise<Json> {
    await this.changes.updateAnnouncement(actor, id, { ...times, content });
    return this.rendered(actor, id);
  }

  @Summary('Deletes an announcement.')
  @Delete(':id')
  @AdminOnly('admin:write')
  @Answers(NothingShape)
  async remove(@CurrentAuth() actor: Auth, @Param('id') id: string): Promise<object> {
    await this.changes.deleteAnnouncement(actor, id);
    return {};
  }

  private async rendered({ accountId }: Auth, id: string): Promise<Json> {
    const [announcement] = await this.view.many([await this.announcements.byId(id, accountId)], accountId ?? undefined);
    return Json.of(announcement);
  }
}

/** `A/stats` (spec §4.1.5). */
@AdminApi('stats')
export class StatsController {
  constructor(private readonly totals: StatusTotals) {}

  @Summary('Counts the posts of all servers, or of one, by visibility.')
  @Get()
  @AdminOnly('admin:read', 'admin:read:statuses')
  @Answers(StatsShape)
  async show(@Input(StatsQuery) { instance }: StatsQuery): Promise<Json> {
    const counts = await this.totals.ofServer(instance === '' ? undefined : instance);
    const names = ['direct', 'private', 'public', 'unlisted'] as const;
    return Json.of({ status_visibility: Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0])) });
  }
}

/** `A/instance_document` (spec §4.1.8): texts of the staff for all readers. */
@AdminApi('instance_document')
export class InstanceDocumentController {
  constructor(
    private readonly documents: InstanceDocumentsService,
    private readonly changes: AdminInstanceService,
  ) {}

  /** Empty when the staff wrote none. */
  @Summary('Shows a text of the staff as HTML; empty if there is none.')
  @Get(':document_name')
  @AdminOnly('admin:read')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Answers(TextShape, 'text/html')
  async show(@Param('document_name') name: string): Promise<string> {
    return (await this.documents.find(documentName(name))) ?? '';
  }

  @Summary('Replaces a text of the staff by an HTML file.')
  @Patch(':document_name')
  @AdminOnly('admin:write')
  @AcceptsFiles(DOCUMENT)
  @Answers(DocumentUrlShape)
  async replace(
    @CurrentAuth() actor: Auth,
    @Param('document_name') text: string,
    @Input(InstanceDocumentBody) { file }: InstanceDocumentBody,
  ) {
    const name = documentName(text);
    if (!file) throw new Invalid('file is missing');
    return { url: await this.changes.replaceDocument(actor, name, await file.text()) };
  }

  @Summary('Deletes a text of the staff.')
  @Delete(':document_name')
  @AdminOnly('admin:write')
  @Answers(DocumentUrlShape)
  async remove(@CurrentAuth() actor: Auth, @Param('document_name') name: string) {
    return { url: await this.changes.deleteDocument(actor, documentName(name)) };
  }
}
