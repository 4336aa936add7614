import { Get, Param } from '@nestjs/common';
import type { Static } from 'typebox';
import {
  Answers,
  ClientApi,
  Describe,
  Input,
  Json,
  NotFound,
  OptionalText,
  Public,
  Summary,
} from '../../common/index.js';
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
  @Describe('The beginning of a domain.')
  @OptionalText({ max: MAX_HOST_LENGTH })
  q = '';
}

/** Parts of the instance document that apps of the reference read one by one. */
@ClientApi('v1', 'instance')
export class InstancePartsController {
  constructor(
    private readonly settings: Settings,
    private readonly documents: InstanceDocuments,
    private readonly texts: InstanceDocumentsService,
  ) {}

  @Summary('Shows the long description of this server as HTML.')
  @Get('extended_description')
  @Public()
  @Answers(ExtendedDescriptionShape)
  async description(): Promise<Static<typeof ExtendedDescriptionShape>> {
    return extendedDescription(await this.texts.stored('instance-panel'));
  }

  @Summary('Shows the terms of service; 404 if there are none.')
  @Get('terms_of_service')
  @Public()
  @Answers(TermsOfServiceShape)
  async terms(): Promise<Static<typeof TermsOfServiceShape>> {
    const text = await this.texts.stored('terms-of-service');
    if (!text) throw new NotFound();
    return termsOfService(text);
  }

  @Summary('Shows the terms of service that took effect on a date; only the current ones are stored.')
  @Get('terms_of_service/:date')
  @Public()
  @Answers(TermsOfServiceShape)
  async termsOf(@Param('date') date: string): Promise<Static<typeof TermsOfServiceShape>> {
    const terms = await this.terms();
    if (terms.effective_date !== date) throw new NotFound();
    return terms;
  }

  @Summary('Shows the privacy policy; 404 if there is none.')
  @Get('privacy_policy')
  @Public()
  @Answers(PrivacyPolicyShape)
  async privacy(): Promise<Static<typeof PrivacyPolicyShape>> {
    const text = await this.texts.stored('privacy-policy');
    if (!text) throw new NotFound();
    return privacyPolicy(text);
  }

  @Summary('Lists the servers that this one blocks or limits; 404 if the staff does not publish them.')
  @Get('domain_blocks')
  @Public()
  @Answers([DomainBlockShape])
  async domainBlocks(): Promise<Json> {
    const blocks = await this.documents.domainBlocks();
    if (!blocks) throw new NotFound();
    return blocks;
  }

  @Summary('Lists the languages of this server.')
  @Get('languages')
  @Public()
  @Answers([LanguageShape])
  languages(): Static<typeof LanguageShape>[] {
    return languages(this.settings);
  }

  @Summary('Lists the pairs of languages for translations: always none.')
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

  @Summary('Lists known servers whose domains begin with a text.')
  @Get('search')
  @Public()
  @Answers(PeersShape)
  async search(@Input(PeerSearchQuery) { q }: PeerSearchQuery): Promise<Json> {
    return Json.of(await this.documents.peersNamed(q));
  }
}
