/** Columns of `ActorSource`, for statements from {@link ACTOR_TABLES}. */
export const ACTOR_COLUMNS = `a.id, a.nickname, a.ap_id as "apId", a.actor_type as "actorType", a.display_name as "displayName",
     a.note_html as "noteHtml", a.fields, a.avatar_url as "avatarUrl", a.avatar_description as "avatarDescription",
     a.header_url as "headerUrl", a.header_description as "headerDescription", a.locked, a.discoverable, a.indexable,
       a.attribution_domains as "attributionDomains", a.accepts_chat_messages as "acceptsChatMessages",
       a.also_known_as as "alsoKnownAs",
     moved.ap_id as "movedTo", a.birthday, a.show_birthday as "showBirthday", a.created_at as "createdAt",
       k.public_pem as "publicPem"`;

/** An account of this server `a` with its key pair `k`. */
export const ACTOR_TABLES =
  'accounts a join keys k on k.account_id = a.id left join accounts moved on moved.id = a.moved_to_id';
