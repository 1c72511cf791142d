// Stands for the headers that tests share: they are compiled with it, once.
