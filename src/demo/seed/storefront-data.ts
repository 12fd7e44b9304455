import type { DisplaySeed } from './display-data.ts';

const coffees = ['Café Especial Torrado em Grãos', 'Café Moído Tradição'];
const sweets = ['Geleia de Açaí com Cupuaçu', 'Pé de Moleque Crocante'];
const pottery = ['Caneca de Cerâmica Ipê', 'Moringa de Barro com Copo', 'Travessa Oval Baía'];
const linen = ['Toalha de Banho Maré', 'Jogo Americano de Linho (4 peças)', 'Avental Quitanda'];
const team = { name: 'Equipe Empório Ipê', email: 'atendimento@emporio-ipe.test' };

export const demoDisplay: DisplaySeed = {
  banners: [
    {
      name: 'Café fresco toda semana',
      imagePath: 'banners/cafe-fresco.jpg',
      product: 'Café Especial Torrado em Grãos',
      home: true,
    },
    { name: 'Feito à mão no Ateliê São João', imagePath: 'banners/atelie.jpg', home: true },
    { name: 'Mesa posta com linho e algodão', imagePath: 'banners/mesa-posta.jpg' },
  ],
  categories: [
    {
      name: 'Cafés e Doces',
      description: 'Para a mesa do café, da manhã ou da tarde.',
      featured: true,
      products: [...coffees, ...sweets],
      banners: ['Café fresco toda semana'],
    },
    {
      name: 'Casa e Mesa',
      description: 'Cerâmica, linho e algodão.',
      featured: true,
      products: [...pottery, ...linen],
      banners: ['Feito à mão no Ateliê São João', 'Mesa posta com linho e algodão'],
    },
    { name: 'Cafés', parent: 'Cafés e Doces', products: coffees },
    { name: 'Doces e Geleias', parent: 'Cafés e Doces', products: sweets },
    { name: 'Cerâmica', parent: 'Casa e Mesa', products: pottery },
    { name: 'Cama, Mesa e Banho', parent: 'Casa e Mesa', products: linen },
  ],
  collections: [
    {
      name: 'Mês do Café',
      description: 'Cafés de altitude e o que vai bem com eles.',
      startsIn: -3,
      endsIn: 30,
      products: [...coffees, 'Caneca de Cerâmica Ipê', 'Geleia de Açaí com Cupuaçu'],
      banners: ['Café fresco toda semana'],
    },
    {
      name: 'Semana da Mesa Posta',
      description: 'Travessas e jogos americanos com preço especial.',
      startsIn: -16,
      endsIn: -9,
      products: ['Travessa Oval Baía', 'Jogo Americano de Linho (4 peças)'],
    },
  ],
  bundles: [
    {
      name: 'Kit Café da Manhã',
      imagePath: 'kits/cafe-da-manha.jpg',
      items: [
        { sku: 'CAFE-GRAO-250', quantity: 1 },
        { sku: 'GELEIA-ACAI', quantity: 1, discount: 10 },
        { sku: 'CANECA-IPE-AM', quantity: 2, discount: 15 },
      ],
    },
  ],
  filters: [
    {
      name: 'Cor',
      values: [
        { name: 'Amarelo', color: '#F2C230' },
        { name: 'Roxo', color: '#6A3D9A' },
        { name: 'Branco', color: '#FFFFFF' },
        { name: 'Azul', color: '#2F6FA7' },
        { name: 'Verde', color: '#4F8A5B' },
        { name: 'Areia', color: '#D9C7A3' },
        { name: 'Grafite', color: '#4A4A4A' },
      ],
    },
    {
      name: 'Material',
      values: [{ name: 'Cerâmica' }, { name: 'Barro' }, { name: 'Linho' }, { name: 'Algodão' }],
    },
  ],
  flags: [
    {
      name: 'Feito à mão',
      text_color: '#FFFFFF',
      background_color: '#8A4B2A',
      categories: ['Casa e Mesa'],
    },
    {
      name: 'Direto do produtor',
      text_color: '#1B1B1B',
      background_color: '#F2D16B',
      categories: ['Cafés e Doces'],
      excludedProducts: ['Pé de Moleque Crocante'],
    },
  ],
  customizations: [
    {
      name: 'Nome gravado na caneca',
      description: 'Gravado à mão depois da queima.',
      type: 'text',
      price: 12,
      maxChars: 20,
      products: ['Caneca de Cerâmica Ipê'],
    },
    {
      name: 'Bilhete para o presente',
      description: 'Escrevemos em um cartão de papel reciclado.',
      type: 'textarea',
      price: 0,
      maxChars: 280,
      products: [...sweets, ...pottery],
    },
    {
      name: 'Embalagem para presente',
      description: 'Escolha o acabamento.',
      type: 'select',
      price: 7.5,
      maxChars: 0,
      values: ['Papel kraft com barbante', 'Caixa com fita de algodão', 'Saquinho de chita'],
      products: [...coffees, 'Toalha de Banho Maré'],
    },
  ],
  feeds: [
    {
      name: 'Google Shopping',
      service: 'google',
      path: 'feeds/google.xml',
      collection: 'Mês do Café',
    },
  ],
  comments: [
    {
      product: 'Café Especial Torrado em Grãos',
      name: 'Cecília Falcão',
      email: 'cecilia@cliente.test',
      message: 'A moagem para prensa francesa pode ser pedida aqui?',
      daysAgo: 6,
      approved: true,
      answer: {
        ...team,
        message: 'Olá, Cecília! Este vai em grãos; o moído tem moagem média, para coador.',
      },
    },
    {
      product: 'Caneca de Cerâmica Ipê',
      name: 'João Batista Magalhães',
      email: 'joao@cliente.test',
      message: 'Chegou bem embalada e a cor é linda.\nVou comprar a roxa também.',
      daysAgo: 4,
      approved: true,
    },
    {
      product: 'Pé de Moleque Crocante',
      name: 'Inês Conceição',
      email: 'ines@cliente.test',
      message: 'Igual ao da minha avó!',
      daysAgo: 1,
    },
  ],
};
