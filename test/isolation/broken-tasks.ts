throw new Error('This module cannot be loaded.');
