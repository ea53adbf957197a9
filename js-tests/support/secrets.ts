// Credentials of well-known shapes, made at run time, so that the source holds none.
import { random } from './conversations.js';

const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ANY = `${CAPITALS}${CAPITALS.toLowerCase()}${DIGITS}`;

/** A credential, and a text that holds it. */
export interface Secret {
  readonly kind: string;
  /** What must not leave. */
  readonly secret: string;
  readonly text: string;
}

/** What stands before the secret, its lead, the signs and length of the rest, what stands behind. */
type Shape = readonly [kind: string, before: string, lead: string, signs: string, length: number, after?: string];

const SHAPES: readonly Shape[] = [
  ['AWS key id', '', 'AKIA', `${CAPITALS}234567`, 16],
  ['AWS temporary key id', '', 'ASIA', `${CAPITALS}234567`, 16],
  ['AWS secret', 'aws_secret_access_key = ', '', ANY, 40],
  ['Google key', '', 'AIza', ANY, 35],
  ['Google client secret', '', 'GOCSPX-', ANY, 28],
  ['Google access token', '', 'ya29.', ANY, 80],
  ['DigitalOcean', '', 'dop_v1_', HEX, 64],
  ['Databricks', '', 'dapi', HEX, 32],
  ['Supabase', '', 'sbp_', HEX, 40],
  ['GitHub', '', 'ghp_', ANY, 36],
  ['GitHub app', '', 'ghs_', ANY, 36],
  ['GitHub, fine-grained', '', 'github_pat_', ANY, 82],
  ['GitLab', '', 'glpat-', ANY, 20],
  ['Atlassian', '', 'ATATT3xFfGF0', ANY, 180],
  ['npm', '', 'npm_', ANY, 36],
  ['PyPI', '', 'pypi-AgEIcHlwaS5vcmc', ANY, 80],
  ['RubyGems', '', 'rubygems_', HEX, 48],
  ['Docker', '', 'dckr_pat_', ANY, 27],
  ['model provider', '', 'sk-', ANY, 48],
  ['model provider, project', '', 'sk-proj-', ANY, 120],
  ['model provider, api03', '', 'sk-ant-api03-', ANY, 95],
  ['model router', '', 'sk-or-v1-', HEX, 64],
  ['model hub', '', 'hf_', ANY, 34],
  ['fast models', '', 'gsk_', ANY, 52],
  ['Replicate', '', 'r8_', ANY, 37],
  ['Slack bot', '', `xoxb-${DIGITS}12-${DIGITS}123-`, ANY, 24],
  ['Slack hook', 'https://hooks.slack.com/services/', 'T0123456/B0123456/', ANY, 24],
  ['Discord hook', 'https://discord.com/api/webhooks/', `${DIGITS}12345678/`, ANY, 68],
  ['Telegram bot', 'https://api.telegram.org/bot123456789:', 'AA', ANY, 33, '/getMe'],
  ['SendGrid', 'SG.', '', ANY, 22, '.Q2hhbmNl7fG4hJ2kL9mN3pQ5rS8tU1vW6xY0zA2bC'],
  ['Stripe', '', 'sk_live_', ANY, 24],
  ['Stripe, restricted', '', 'rk_test_', ANY, 24],
  ['web hook', '', 'whsec_', ANY, 32],
  ['Square', '', 'sq0atp-', ANY, 22],
  ['Shopify', '', 'shpat_', HEX, 32],
  ['Linear', '', 'lin_api_', ANY, 40],
  ['Notion', '', 'ntn_', ANY, 46],
  ['Figma', '', 'figd_', ANY, 40],
  ['age', '', 'AGE-SECRET-KEY-1', `${CAPITALS}234567`, 58],
  ['Vault', 'hvs.', 'CAES', ANY, 90],
  ['JSON web token', '', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.', ANY, 43],
  ['connection string', 'postgres://admin:', '', ANY, 16, '@db.example.com:5432/app'],
  ['URL with a token', 'https://', '', ANY, 40, '@git.example.com/a.git'],
  ['bearer header', 'Authorization: Bearer ', '', ANY, 40],
  ['basic header', 'authorization: Basic ', '', ANY, 24, '=='],
  ['key header', 'x-api-key: ', '', HEX, 32],
  ['storage account', 'AccountName=x;AccountKey=', '', ANY, 86, '==;EndpointSuffix=core'],
  ['password of a database', 'Server=db;User Id=sa;Password=', 'S3cr3t!', ANY, 8, ';Encrypt=true'],
  ['assignment in code', "config['api_key'] = '", '', HEX, 32, "'"],
  ['signed URL', '?X-Amz-Expires=300&X-Amz-Signature=', '', HEX, 64, '&x=1'],
  ['private key', '-----BEGIN RSA PRIVATE KEY-----\n', '', ANY, 64, '\n-----END RSA PRIVATE KEY-----'],
];

/** One credential of each shape. */
export function secrets(seed: number): readonly Secret[] {
  const next = random(seed);
  const pick = (signs: string): string => signs[Math.floor(next() * signs.length)] ?? '';
  return SHAPES.map(([kind, before, lead, signs, length, after = '']) => {
    const secret = lead + Array.from({ length }, () => pick(signs)).join('');
    return { kind, secret, text: `${before}${secret}${after}` };
  });
}
