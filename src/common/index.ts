export {
  type Access,
  accessOf,
  AdminOnly,
  AppAuth,
  type Auth,
  CurrentAccount,
  CurrentAuth,
  CurrentToken,
  OptionalAuth,
  Public,
  Scopes,
  ViewerId,
} from './access.js';
export { type Answer, answerOf, Answers, AnythingShape, NothingShape, SuccessShape, TextShape } from './answers.js';
export { groupBy, inOrder, keyBy, unique } from './batch.js';
export { brandKey } from './brand.js';
export { RefusesAsInvalidRequest, RefusesWith400 } from './refuses.js';
export { believedProxies, clientAddress, clientNetwork } from './client-address.js';
export { CommonModule } from './common.module.js';
export { entityTag } from './entity-tag.js';
export {
  Conflict,
  DomainError,
  type DomainErrorOptions,
  Forbidden,
  Invalid,
  NotFound,
  RemoteFailure,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  Unprocessable,
  Unsupported,
  Upstream,
} from './errors.js';
export { ApiExceptionFilter } from './exception.filter.js';
export { configureHttp } from './http.js';
export { Idempotency, type Made } from './idempotency.js';
export { IdempotencyKey } from './idempotency.entity.js';
export { BodyObject, type ConstraintContext, Input } from './input.js';
export { languageTag } from './i18n/language-tag.js';
export { type Locale, localeOf, LOCALES } from './i18n/locales.js';
export type { MessageKey } from './i18n/messages.js';
export { type Translator, translatorOf } from './i18n/translator.js';
export { Json } from './json.js';
export { type Cursors, Page, PageLimit, PageLimitOrAll, PageNumber, PageOffset, PageQuery } from './page.js';
export { localDomains } from './local-domains.js';
export { momentOf } from './moment.js';
export { type JsonSchema, type Parameter, parametersOf } from './parameters.js';
export { PAGE_ASSETS, type PageAsset } from './pages/assets.js';
export { HtmlPage } from './pages/html-page.js';
export type { PageContent } from './pages/layout.js';
export type { Letter, MailContent } from './pages/mail.js';
export { Pages } from './pages/pages.js';
export { bdi, type Html, html, type Insert, safe } from './pages/template.js';
export { prefersDocument, prefersPage } from './negotiation.js';
export { profileUrl, tagUrl } from './paths.js';
export { isPlainObject } from './plain-data.js';
export { parseQuery } from './query.js';
export { type AccountNames, RateLimitTargets } from './rate-limit-targets.port.js';
export { RateLimitGuard } from './rate-limit.guard.js';
export {
  type BucketLimit,
  type BucketName,
  type BucketUse,
  type Limit,
  RateLimit,
  RateLimits,
  requireAllowed,
} from './rate-limits.js';
export type { ApiRequest } from './request.js';
export { listRoutes, RouteAuditError, type RouteListing } from './route-audit.js';
export { AdminApi, ClientApi, RootApi, SvcApi } from './routes.js';
export { DateOnly, DateTime, DecimalId, FlakeId, Nullable } from './shape.js';
export { isShortcode, normalizeEmoji, replaceShortcodes, shortcodesIn, shortcodesInHtml } from './text/emoji.js';
export {
  findMentions,
  type FormattedText,
  formatText,
  leadingMentions,
  type ResolvedMention,
  type TextResolver,
} from './text/format.js';
export { assertCleanText, cleanText, codePointLength, isBlank, textProblem } from './text/gate.js';
export { escapeHtml, withLinkedPictures, withPictures } from './text/html.js';
export { normalizeDomain } from './text/idna.js';
export { POST_FORMATS, type PostFormat } from './text/markup.js';
export { linksOfPage, type LinkQuery } from './text/page-links.js';
export { metaOfPage, type PageMeta } from './text/page-meta.js';
export { readPage } from './text/page-reader.js';
export { formatBio, formatFieldValue, soleLink } from './text/profile.js';
export { sanitizeHtml, sanitizeNoRichText, stripTags } from './text/sanitize.js';
export { type Handle, isTag, normalizeTag } from './text/scan.js';
export {
  AnyJson,
  BooleanLike,
  CsvList,
  DurationOrNever,
  DurationSeconds,
  EmptyToNull,
  FilePart,
  FlagMap,
  IdList,
  IntLike,
  Nested,
  NestedList,
  NestedOrNull,
  OneOf,
  OptionalId,
  OptionalText,
  RequiredInt,
  RequiredText,
  TextList,
  TextOrFile,
} from './transforms.js';
export { Type } from './type.js';
export { AcceptsFiles, type FileLimits, type FilePolicy, takesFiles, UploadedFile, Uploads } from './uploads.js';
