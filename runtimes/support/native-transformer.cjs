// What Metro does to each module, by the presets of React Native.
const { transformSync } = require('@babel/core');

module.exports.transform = ({ src, filename, options }) => {
  const presets = [[require.resolve('@react-native/babel-preset'), { enableBabelRuntime: false }]];
  // Scripts of a megabyte need no indentation.
  const settings = { filename, presets, babelrc: false, configFile: false, ast: true, code: false, compact: true };
  return { ast: transformSync(src, { ...settings, caller: { name: 'metro', platform: options.platform } }).ast };
};
