// VitePress's own theme, and the parts that run: examples, samples in the playground, charts.
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import KernelChart from './KernelChart.vue';
import Layout from './Layout.vue';
import PlaygroundSample from './PlaygroundSample.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('KernelChart', KernelChart);
    app.component('PlaygroundSample', PlaygroundSample);
  },
} satisfies Theme;
