print('this is no agent')
