import morph = require('ts-morph')

// By require: an import of so large a CommonJS file is first searched for the names of its exports, which takes longer than
// some of its work.
export = morph
