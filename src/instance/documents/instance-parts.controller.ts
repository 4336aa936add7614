import { Get, Param } from '@nestjs/common';
import type { Static } from 'typebox';
import { Answers, ClientApi, Input, Json, NotFound, OptionalText, Public } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { InstanceDocumentsService } from '../texts/instance-documents.service.js';
import { InstanceDocuments } from './instance-documents.js';
import { PeersShape } from './instance.shape.js';
import {
  DomainBlockShape,
  ExtendedDescriptionShape,
  LanguageShape,
  PrivacyPolicyShape,
  TermsOfServiceShape,
  TranslationLanguagesShape,
} from './instance-parts.shape.js';
import { extendedDescription, languages, privacyPolicy, termsOfService } from './instance-parts.view.js';

const MAX_HOST_LENGTH = 512;

class PeerSearchQuery {
  /** The beginning of a domain. */
  @OptionalText({ max: MAX_HOST_LENGTH }) q = '';
}

/** Parts of the instance document that apps of the reference read one by one. */
@ClientApi('v1', 'instance')
export class InstancePartsController {
  constructor(
    private readonly settings: Settings,
    private readonly documents: InstanceDocuments,
    private readonly texts: InstanceDocumentsService,
  ) {}

  @Get('extended_description')
  @Public()
  @Answers(ExtendedDescriptionShape)
  async description(): Promise<Static<typeof ExtendedDescriptionShape>> {
    return extendedDescription(await this.texts.stored('instance-panel'));
  }

  @Get('terms_of_service')
  @Public()
  @Answers(TermsOfServiceShape)
  async terms(): Promise<Static<typeof TermsOfServiceShape>> {
    const text = await this.texts.stored('terms-of-service');
    if (!text) throw new NotFound();
    return termsOfService(text);
  }

  /** The terms that took effect on a date; only the current ones are stored. */
  @Get('terms_of_service/:date')
  @Public()
  @Answers(TermsOfServiceShape)
  async termsOf(@Param('date') date: string): Promise<Static<typeof TermsOfServiceShape>> {
    const terms = await this.terms();
    if (terms.effective_date !== date) throw new NotFound();
    return terms;
  }

  @Get('privacy_policy')
  @Public()
  @Answers(PrivacyPolicyShape)
  async privacy(): Promise<Static<typeof PrivacyPolicyShape>> {
    const text = await this.texts.stored('privacy-policy');
    if (!text) throw new NotFound();
    return privacyPolicy(text);
  }

  @Get('domain_blocks')
  @Public()
  @Answers([DomainBlockShape])
  async domainBlocks(): Promise<Json> {
    const blocks = await this.documents.domainBlocks();
    if (!blocks) throw new NotFound();
    return blocks;
  }

  @Get('languages')
  @Public()
  @Answers([LanguageShape])
  languages(): Static<typeof LanguageShape>[] {
    return languages(this.settings);
  }

  @Get('translation_languages')
  @Public()
  @Answers(TranslationLanguagesShape)
  translationLanguages(): object {
    return {};
  }
}

/** `/api/v1/peers/search` (reference): known servers by the beginning of their domains. */
@ClientApi('v1', 'peers')
export class PeersController {
  constructor(private readonly documents: InstanceDocuments) {}

  @Get('search')
  @Public()
  @Answers(PeersShape)
  async search(@Input(PeerSearchQuery) { q }: PeerSearchQuery): Promise<Json> {
    return Json.of(await this.documents.peersNamed(q));
  }
}
