/** A grammar for the text form of the intermediate representation (docs/ir.md), for the highlighter of the pages. */
export const irLanguage = {
  name: 'ir',
  scopeName: 'source.millrace-ir',
  repository: {},
  patterns: [
    { match: '//.*$', name: 'comment.line' },
    { match: '"[^"]*"', name: 'string.quoted' },
    { match: '%[\\w.]+', name: 'variable.other' },
    { match: '[@$][\\w.]+', name: 'entity.name.function' },
    {
      match: '\\b(module|kernel|function|global|if|else|loop|yield|return|break|continue|unreachable)\\b',
      name: 'keyword.control',
    },
    { match: '\\b(bool|[iuf]\\d+(x\\d+)?|ptr(?=<))', name: 'storage.type' },
    { match: '\\b\\d[\\w.]*', name: 'constant.numeric' },
  ],
};
