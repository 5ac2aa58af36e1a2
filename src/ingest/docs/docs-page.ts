import { createHash } from 'node:crypto';
import type { JsonSchema } from '../../lib/json-schema.js';
import { DOOR_PROBLEMS, remedyOf } from './door-problems.js';
import type { DoorDocument, MediaType, Operation } from './door-document.js';

/** Whatever comes out of the document is text, until it has gone through here. */
class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | readonly Piece[];

function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.map((part, place) => part + rendered(pieces[place] ?? '')).join(''));
}

function rendered(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(rendered).join('');
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return String(piece).replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); } h3 { margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
code, pre { font: .875em/1.5 ui-monospace, monospace; background: var(--soft); }
code { padding: .1em .25em; border-radius: 3px; } pre { padding: .75rem; overflow: auto; border-radius: 6px; }
th, td:first-child { white-space: nowrap; }
nav a { display: inline-block; margin-right: 1rem; } .fix { color: #b45309; } .retry { color: #15803d; }
@media (max-width: 40rem) {
  tr { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  tr:has(th) { display: none; } td { padding: 0; border: 0; } td:last-child { flex-basis: 100%; }
  td:first-child { white-space: normal; overflow-wrap: anywhere; }
}
`;

/** No script at all, nothing from elsewhere, and no style but the one that is written here. */
export const PAGE_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The document as a page for people. Own code: the usual viewers are megabytes of script for what is a few tables here. */
export function docsPage({ info, paths, components }: DoorDocument): string {
  const operations = Object.entries(paths);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <h1>${info.title}</h1>
        <p>${info.summary} Version ${info.version}, also as <a href="/docs/openapi.json">OpenAPI 3.1</a>.</p>
        <nav>
          ${operations.map(([path]) => html`<a href="#${path}">POST ${path}</a>`)}<a href="#problems">Problems</a
          ><a href="#shapes">Shapes</a>
        </nav>
        ${info.description.split('\n\n').map((words) => html`<p>${prose(words)}</p>`)}
        ${operations.map(([path, { post }]) => operation(path, post))}
        <h2 id="problems">Problems</h2>
        <table>
          <tr>
            <th>code</th>
            <th>status</th>
            <th>retry or fix</th>
            <th>what it means</th>
          </tr>
          ${DOOR_PROBLEMS.map(
            ({ code, status, words }) =>
              html` <tr>
                <td><code>${code}</code></td>
                <td>${status}</td>
                <td class="${remedyOf(status)}">${remedyOf(status)}</td>
                <td>${words}</td>
              </tr>`,
          )}
        </table>
        <h2 id="shapes">Shapes</h2>
        <p>Members marked * have to be sent; in an answer they are always there.</p>
        ${Object.entries(components.schemas).map(([name, schema]) => shape(name, schema))}
      </body>
    </html> `.text;
}

function operation(path: string, { summary, description, requestBody, responses }: Operation): Html {
  const body = requestBody.content['application/json'];
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    'content' in response ? [{ status, ...response }] : [],
  );
  return html`<h2 id="${path}">POST ${path}</h2>
    <p>${ended(summary, '.')} ${prose(description)} The body: ${body === undefined ? '' : kindOf(body.schema)}.</p>
    ${body === undefined ? '' : examples(body)}${answers.map(
      ({ status, description: words, content }) =>
        html`<h3>${status}</h3>
          <p>${prose(ended(words, ':'))} ${Object.values(content).map(({ schema }) => kindOf(schema))}</p>
          ${Object.values(content).map(examples)}`,
    )} `;
}

function examples(media: MediaType): Html[] {
  return Object.entries(media.examples).map(
    ([, { summary, value }]) =>
      html`<p>${ended(summary, ':')}</p>
        <pre>${JSON.stringify(value, null, 2)}</pre> `,
  );
}

function shape(name: string, { description = '', properties = {}, required = [] }: JsonSchema): Html {
  return html`<h3 id="${name}">${name}</h3>
    <p>${prose(description)}</p>
    <table>
      <tr>
        <th>member</th>
        <th>takes</th>
        <th>what it is</th>
      </tr>
      ${Object.entries(properties).map(
        ([member, schema]) =>
          html` <tr>
            <td><code>${member}</code>${required.includes(member) ? ' *' : ''}</td>
            <td>${kindOf(schema)}</td>
            <td>${prose(schema.description ?? '')}</td>
          </tr>`,
      )}
    </table> `;
}

/** A schema in a few words: "string, up to 120". */
function kindOf(schema: JsonSchema): Html {
  const { $ref, anyOf, oneOf, items } = schema;
  const name = $ref?.split('/').at(-1);
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`;
  const either = anyOf ?? oneOf;
  if (either !== undefined) return html`${either.map((one, place) => [place === 0 ? '' : ' or ', kindOf(one)])}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) return html`${schema.enum.map(String).join(', ')}`;
  const types = schema.type === undefined ? 'anything' : [schema.type].flat().join(' or ');
  if (items !== undefined) return html`${types} of ${kindOf(items)}${limits(schema.minItems, schema.maxItems)}`;
  return html`${schema.format ?? types}${limits(schema.minLength, schema.maxLength)}${limits(schema.minimum, schema.maximum)}`;
}

function limits(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return '';
  return least === undefined ? `, up to ${most}` : `, ${least} to ${most}`;
}

/** Words with a sign at their end, unless they have one of their own. */
function ended(words: string, sign: string): string {
  return /[.?!:]$/.test(words) ? words : words + sign;
}

/** Text in which `code` stands between backticks. */
function prose(words: string): Html {
  return html`${words.split('`').map((part, place) => (place % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
