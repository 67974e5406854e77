/**
 * The advisory lock that a backup shares with other backups while it copies: whoever waits for the
 * tables that it reads can say why. ("backu" in ASCII.)
 */
export const BACKUP_LOCK_KEY = 0x6261636b75;
