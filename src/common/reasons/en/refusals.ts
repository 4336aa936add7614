/** Words of English pages for texts that the API answers in words for programs. */
export const refusals = {
  'Record not found': 'It does not exist, or not any more, or you may not see it.',
  'Invalid password.': 'The password is wrong.',
  invalid_token: 'The code is wrong, or it is too late.',
} as const;
